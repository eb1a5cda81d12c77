"""Seed 003: schema and storage."""

import hashlib
import json

from harness import Memory, close, promise

COLUMNS = {
    "blocks": "id content category source created_at status archive_reason confidence reinforcement_count decay_lambda "
              "last_reinforced_at self_alignment embedding embedding_model token_count last_session_id",
    "block_tags": "block_id tag",
    "edges": "from_id to_id weight reinforcement_count created_at relation_type origin last_active_hours note",
    "contradictions": "block_a_id block_b_id score resolved created_at",
    "frames": "name weights_json filters_json guarantees_json template token_budget cache_json source created_at",
    "sessions": "id task_type started_at ended_at start_active_hours",
    "system_config": "key value",
}
FRAMES = {"self": [0.10, 0.30, 0.05, 0.25, 0.30], "attention": [0.35, 0.15, 0.25, 0.15, 0.10], "task": [0.20] * 5}


@promise("003: the seven tables have the columns of the seed")
def tables():
    with Memory() as memory:
        memory.learn("one")
        for table, names in COLUMNS.items():
            found = {row["name"] for row in memory.rows(f"SELECT name FROM pragma_table_info('{table}')")}
            assert set(names.split()) <= found, (table, set(names.split()) - found)


@promise("003: the indexes of the seed are there")
def indexes():
    with Memory() as memory:
        memory.learn("one")
        found = {row["name"]: row["sql"] or "" for row in memory.rows("SELECT name, sql FROM sqlite_schema WHERE type = 'index'")}
        for name in ("idx_blocks_status", "idx_blocks_last_reinforced", "idx_block_tags_tag", "idx_block_tags_block_id",
                     "idx_edges_from", "idx_edges_to", "idx_contradictions_unresolved"):
            assert name in found, name
        assert "WHERE" in found["idx_contradictions_unresolved"].upper()


@promise("003: the id is the first 16 digits of SHA-256 over the trimmed, lowercased text")
def ids():
    with Memory() as memory:
        one = memory.learn("  Maria is allergic to PEANUTS \n")
        assert one == hashlib.sha256(b"maria is allergic to peanuts").hexdigest()[:16]
        assert memory.json("learn", "maria is allergic to peanuts")["status"] == "duplicate_rejected"


@promise("003: a learned block waits in the inbox with confidence 0.50, rate 0.01 and no vector")
def defaults():
    with Memory() as memory:
        block = memory.block(memory.learn("one"))
        assert (block["status"], block["confidence"], block["decay_lambda"], block["reinforcement_count"]) == \
            ("inbox", 0.5, 0.01, 0), block
        assert block["embedding"] is None and block["self_alignment"] is None and block["archive_reason"] is None
        memory.json("dream")
        block = memory.block(block["id"])
        assert block["status"] == "active" and block["embedding"] is not None and block["embedding_model"], block


@promise("003: the built-in frames have the weights of the seed, and the default settings are there")
def frames():
    with Memory() as memory:
        memory.learn("one")
        for name, weights in FRAMES.items():
            (row,) = memory.rows("SELECT weights_json, source FROM frames WHERE name = ?", name)
            stored = json.loads(row["weights_json"])
            found = [stored[part] for part in ("similarity", "confidence", "recency", "centrality", "reinforcement")]
            assert all(map(close, found, weights)) and row["source"] == "builtin", (name, found)
        settings = {row["key"]: row["value"] for row in memory.rows("SELECT * FROM system_config")}
        assert (settings["prune_threshold"], settings["top_k"]) == ("0.05", "5"), settings


@promise("003: the file is in WAL mode, and deleting a block takes tags and edges with it")
def storage():
    with Memory() as memory:
        one = memory.active("Deploys go out on Tuesdays")
        assert memory.rows("PRAGMA journal_mode")[0]["journal_mode"] == "wal"
        # A row that only stands in the table: what is indexed cannot be deleted past the program.
        memory.write("INSERT INTO blocks (id, content, category, source, created_at) "
                     "VALUES ('aaaa', 'by hand', 'knowledge', 'api', '2026-05-01T08:00:00.000000+00:00')")
        memory.write("INSERT INTO block_tags VALUES ('aaaa', 'topic/x')")
        memory.write("INSERT INTO edges (from_id, to_id, weight, created_at) VALUES (?, ?, 0.5, '2026-05-01T08:00:00+00:00')",
                     *sorted((one, "aaaa")))
        memory.write("DELETE FROM blocks WHERE id = 'aaaa'")
        assert not memory.rows("SELECT * FROM block_tags WHERE block_id = 'aaaa'") and memory.edge(one, "aaaa") is None


@promise("003: archiving takes tags, edges and contradictions, and keeps the text")
def archiving():
    with Memory() as memory:
        one, other = memory.active("Deploys go out on Tuesdays", "Maria is allergic to peanuts", tag="topic/x")
        memory.json("connect", one, other)
        memory.json("forget", one)
        assert memory.edge(one, other) is None and not memory.rows("SELECT * FROM block_tags WHERE block_id = ?", one)
        block = memory.block(one)
        assert (block["status"], block["archive_reason"]) == ("archived", "forgotten"), block
        assert block["content"] == "Deploys go out on Tuesdays"


@promise("003: hostile text is stored and found as text")
def injection():
    with Memory() as memory:
        text = "Robert'); DROP TABLE blocks;-- %_\\ \"quoted\""
        memory.active(text)
        assert text in [block["content"] for block in memory.json("recall", text)["blocks"]]
        assert memory.json("recall", "' OR 1=1 --") is not None and memory.json("verify")["sound"]


@promise("003: no key of a model is in the file")
def keys():
    with Memory(ELFMEM_EMBEDDER="openai:gone", OPENAI_API_KEY="sk-promises-4711", ELFMEM_BASE_URL="http://127.0.0.1:9/v1") as memory:
        memory.learn("one")
        memory.run("dream")
        for path in memory.folder.glob("memory.db*"):
            assert b"sk-promises-4711" not in path.read_bytes(), path


@promise("003: active hours never run backwards, and stamps are active hours")
def clock():
    with Memory(ELFMEM_AUTO_CURATE="false") as memory:
        one = memory.active("one thing")
        memory.age(100)
        memory.json("outcome", one, "--signal", "1.0")
        assert close(memory.block(one)["last_reinforced_at"], 100, 0.1)
        assert memory.json("status")["total_active_hours"] >= 100
