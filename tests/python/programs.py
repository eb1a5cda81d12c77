"""The two programs: the Python elfmem in a process of its own, and ours on a copy of its memory."""

import json
import pathlib
import sqlite3
import subprocess

HERE = pathlib.Path(__file__).parent


class Ours:
    """Our program on a copy of the Python memory."""

    def __init__(self, program, folder, address):
        self.program, self.path = program, folder / "ours.db"
        home = folder / "home"
        home.mkdir()
        self.environment = {
            "HOME": str(home), "PATH": "/usr/bin:/bin", "ELFMEM_BASE_URL": address, "OPENAI_API_KEY": "none",
            "ELFMEM_EMBEDDER": "openai:words-64", "ELFMEM_ANALYST": "openai:words-64", "ELFMEM_EDGE_SCORE": "composite",
            "ELFMEM_AUTO_CURATE": "false", "ELFMEM_INBOX_THRESHOLD": "1000", "ELFMEM_SUPERSEDE_AT_LEARN": "false",
        }

    def copy(self, theirs):
        """Takes over a copy of their memory."""
        for path in self.path.parent.glob("ours.db*"):
            path.unlink()
        source, target = sqlite3.connect(theirs), sqlite3.connect(self.path)
        source.backup(target)
        source.close()
        target.close()
        answer = self.run("adopt")
        if "error" in answer:
            raise SystemExit(f"FAILED: the memory is not taken over: {answer['error']}")

    def run(self, *arguments):
        done = subprocess.run([self.program, "--db", str(self.path), "--json", *map(str, arguments)], capture_output=True,
                              text=True, env=self.environment)
        if done.returncode == 0:
            return {"result": json.loads(done.stdout)}
        return {"error": (done.stdout + done.stderr).strip()}

    def perform(self, operation):
        name, given = operation["operation"], operation["arguments"]
        if name == "learn":
            tags = [part for tag in given.get("tags") or [] for part in ("--tag", tag)]
            return self.run("learn", given["content"], *tags, "--category", given["category"])
        if name == "age":
            with sqlite3.connect(self.path) as connection:
                connection.execute("UPDATE system_config SET value = CAST(value AS REAL) + ? "
                                   "WHERE key = 'total_active_hours'", (given["hours"],))
            connection.close()
            return {"result": None}
        if name == "session":
            self.run("session", "begin")
            return self.run("session", "end")
        if name == "recall":
            return self.run("recall", given["query"], "--top-k", given["top_k"])
        if name == "outcome":
            return self.run("outcome", *given["block_ids"], "--signal", given["signal"], "--weight", given["weight"])
        if name == "connect":
            relation = ["--relation", given["relation"]] if given.get("relation") else []
            weight = ["--weight", given["weight"]] if given.get("weight") is not None else []
            return self.run("connect", given["source"], given["target"], *relation, *weight, "--if-exists",
                            given["if_exists"])
        if name == "disconnect":
            return self.run("disconnect", given["source"], given["target"])
        if name == "curate":
            return self.run("curate", "--protect-bridges", "--reinforce-constitutional")
        return self.run(name)


class Theirs:
    """The Python elfmem in a process of its own."""

    def __init__(self, python, folder, address):
        self.path = folder / "theirs.db"
        self.process = subprocess.Popen(
            [python.absolute(), str(HERE / "original.py"), str(self.path), address], stdin=subprocess.PIPE,
            stdout=subprocess.PIPE, cwd=folder, stderr=subprocess.DEVNULL, text=True,
            env={"HOME": str(folder), "PATH": "/usr/bin:/bin", "OPENAI_API_KEY": "none"},
        )
        self.answer()

    def answer(self):
        line = self.process.stdout.readline()
        if not line:
            raise SystemExit("FAILED: the Python elfmem ended")
        return json.loads(line)

    def perform(self, operation):
        self.process.stdin.write(json.dumps(operation) + "\n")
        self.process.stdin.flush()
        return self.answer()
