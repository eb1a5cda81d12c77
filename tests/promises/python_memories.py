"""Memories of the Python elfmem: found in the home folder, taken over, and used on."""

import sqlite3

from harness import Memory, in_project, promise


def original(memory, name, version):
    """A database of the Python elfmem in the folder of a memory."""
    path = memory.folder / name
    path.parent.mkdir(parents=True, exist_ok=True)
    connection = sqlite3.connect(path)
    connection.executescript(in_project("crates/store-sqlite/tests/fixtures", f"python-{version}.sql").read_text())
    connection.close()
    return path


@promise("Python: status and doctor notice the original's default memory and name the command that brings it in")
def noticed():
    with Memory() as memory:
        original(memory, ".elfmem/agent.db", "0.15")
        memory.learn("one thing")
        told = memory.json("status")["python_memories"]
        assert len(told) == 1 and "agent.db" in str(told), told
        for text in (memory.text("status"), memory.run("doctor").stdout):
            assert "agent.db" in text and "import" in text, text
        memory.text("import", memory.folder / ".elfmem/agent.db")
        assert memory.json("status")["python_memories"] == [], "it was brought in"


@promise("Python: any command takes a database of 0.15 or 0.20 over in place, after a backup, and says so once")
def taken_over():
    for version in ("0.15", "0.20"):
        with Memory() as memory:
            original(memory, "memory.db", version)
            told = memory.run("status").stderr
            assert "Took over a database of the Python elfmem" in told and ".bak" in told, told
            assert list(memory.folder.glob("memory.db.*.bak"))
            assert "Took over" not in memory.run("status").stderr
            assert memory.json("verify")["sound"] and memory.json("doctor")["sound"]


@promise("Python: blame of an adopted block counts the outcomes that came with it")
def blamed():
    with Memory() as memory:
        original(memory, "memory.db", "0.15")
        assert len(memory.json("blame", "980c1114316ac724")["outcomes"]) == 1


@promise("Python: what it writes to an adopted file afterwards is taken in, journaled, and verify is clean")
def written_outside():
    with Memory() as memory:
        original(memory, "memory.db", "0.15")
        memory.text("status")
        connection = sqlite3.connect(memory.path)
        with connection:
            connection.execute(
                "INSERT INTO blocks (id, content, category, source, created_at, status, confidence, reinforcement_count, "
                "decay_lambda, last_reinforced_at, outcome_evidence) VALUES ('bbbbbbbbbbbbbbbb', 'Giraffes live outside', "
                "'knowledge', 'api', '2026-05-05T10:00:00+00:00', 'inbox', 0.5, 0, 0.01, 0.0, 0.0)")
        connection.close()
        assert "Another program wrote to the memory" in memory.run("status").stderr
        assert "Giraffes live outside" in memory.text("recall", "giraffes")
        assert "found_outside" in str(memory.json("log")) and memory.json("verify")["sound"]


@promise("Python: a row that cannot be read is named, nothing is left beside the file, and --leave-out goes on")
def bad_row():
    with Memory() as memory:
        path = original(memory, "memory.db", "0.15")
        connection = sqlite3.connect(path)
        with connection:
            connection.execute("UPDATE blocks SET status = 'asleep' WHERE id = '0df8edae6b966de1'")
        connection.close()
        files = sorted(entry.name for entry in memory.folder.iterdir())
        error = memory.refused("status")
        assert "0df8edae6b966de1" in str(error) and "asleep" in str(error) and "--leave-out" in error["recovery"], error
        assert sorted(entry.name for entry in memory.folder.iterdir()) == files
        left = memory.json("adopt", "--leave-out")["adoption"]["left_out"]
        assert left[0]["name"] == "0df8edae6b966de1" and memory.json("verify")["sound"], left
