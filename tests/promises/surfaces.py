"""Further promises: settings, frames, moving memories, and the same answers on every surface."""

import json
import sqlite3

from harness import Memory, close, promise, writes_to
from python_memories import original

TUESDAYS, ALLERGY = "Deploys go out on Tuesdays", "Maria is allergic to peanuts"


@promise("settings: edge_degree_cap and the five thresholds of a profile are keys, checked and shown")
def thresholds():
    with Memory() as memory:
        shown = memory.text("config", "show")
        for name in ("edge_degree_cap", "exact", "near", "edge", "contradiction_prefilter", "contradiction", "supersede_at_learn"):
            assert name in shown, (name, shown)


@promise("frame self with a question shows the whole self, the constitution first")
def self_frame():
    with Memory() as memory:
        memory.learn("Never lie to the user", tag="self/constitutional")
        own = {"I am the assistant of a bakery": "identity", "I value brevity": "value", "My goal is a calm kitchen": "goal",
               "I write in metric units": "style"}
        for text, tag in own.items():
            memory.learn(text, tag=f"self/{tag}")
        memory.json("dream")
        shown = memory.json("frame", "self", "quantum chromodynamics")
        assert all(text in shown["text"] for text in ["Never lie to the user", *own]) and shown["left_out"] == [], shown


@promise("frames: a frame of one's own is added, rendered, exported and imported with its template")
def own_frame():
    with Memory() as memory:
        path = original(memory, "python.db", "0.15")
        connection = sqlite3.connect(path)
        with connection:
            connection.execute("INSERT INTO frames VALUES ('mine', '{\"similarity\": 0.2, \"confidence\": 0.2, \"recency\": 0.2, "
                               "\"centrality\": 0.2, \"reinforcement\": 0.2}', '{}', '[]', '## Mine {{ blocks }}', 700, NULL, "
                               "'user', '2026-05-01T08:00:00.000000+00:00')")
        connection.close()
        memory.text("import", path)
        memory.text("export", memory.folder / "all.jsonl")
        with Memory() as other:
            other.text("import", memory.folder / "all.jsonl")
            (row,) = other.rows("SELECT template FROM frames WHERE name = 'mine'")
            assert row["template"] == "## Mine {{ blocks }}", row


@promise("Python: import keeps the live one of a text that is archived and live")
def twins():
    with Memory() as memory:
        path = original(memory, "python.db", "0.15")
        connection = sqlite3.connect(path)
        with connection:
            connection.execute("INSERT INTO blocks (id, content, category, source, created_at, status, confidence, "
                               "reinforcement_count, decay_lambda, last_reinforced_at, outcome_evidence) VALUES "
                               "('aaaaaaaaaaaaaaaa', 'It rained at the offsite', 'knowledge', 'api', "
                               "'2026-05-05T10:00:00+00:00', 'active', 0.8, 3, 0.01, 12.0, 1.0)")
        connection.close()
        memory.text("import", path)
        found = memory.rows("SELECT status, confidence FROM blocks WHERE lower(content) = 'it rained at the offsite'")
        assert {"status": "active", "confidence": 0.8} in found, found


@promise("Python: import names what it leaves behind, with its count and why")
def left_behind():
    with Memory() as memory:
        path = original(memory, "python.db", "0.20")
        connection = sqlite3.connect(path)
        with connection:
            connection.execute("INSERT INTO peer_roster VALUES ('elf:ada', 'Ada', NULL, 0.7, 0, 't', 't', 1, 2, 3, 4, 'x', '/tmp')")
            connection.execute("INSERT OR REPLACE INTO system_config VALUES ('peer_identity', 'elf:me')")
        connection.close()
        skipped = json.dumps(memory.json("import", path)["skipped"])
        assert "peer_roster" in skipped and "peer_identity" in skipped, skipped


@promise("Python: near_duplicate pairs of 0.20 become proposals")
def near_duplicates():
    with Memory() as memory:
        path = original(memory, "memory.db", "0.20")
        connection = sqlite3.connect(path)
        with connection:
            connection.execute("INSERT INTO contradictions (block_a_id, block_b_id, score, resolved, created_at, kind) VALUES "
                               "('71d2accf66b2ca16', '980c1114316ac724', 0.93, 0, '2026-05-02T10:00:00+00:00', 'near_duplicate')")
        connection.close()
        assert "near_duplicate" in json.dumps(memory.json("proposals"))


@promise("surfaces: learn, status and recall answer with the same keys on CLI, MCP and HTTP")
def same_keys():
    with Memory() as memory:
        command = memory.json("learn", TUESDAYS)
        server = memory.http()
        assert server.call("learn", content=ALLERGY)[1].keys() == command.keys()
        assert server.call("recall", query="deploys")[1].keys() == memory.json("recall", "deploys").keys()
        _, told, _ = memory.mcp().call("elfmem_learn", content="The cat sleeps in the sun")
        assert told.keys() == command.keys(), told


@promise("surfaces: the cards of the seeds are one text on CLI, MCP and HTTP, with an example that can be called there")
def same_guide():
    def parts(card):
        text, example = card.strip().split("  Example   ")
        return text, example
    with Memory() as memory:
        client, server = memory.mcp(), memory.http()
        for name in ("learn", "connect", "disconnect"):
            typed, example = parts(memory.text("guide", name))
            assert example.startswith("elfmem "), example
            tool, example = parts(client.call("elfmem_guide", method_name=name)[0])
            assert tool == typed and example.startswith(f"elfmem_{name} {{"), (tool, example)
            request, example = parts(server.call("guide", method_name=name)[1]["text"])
            assert request == typed and example.startswith(f"POST /api/v1/{name} {{"), (request, example)


@promise("surfaces: consolidate, curate and outcome work over MCP and HTTP")
def maintenance():
    with Memory() as memory:
        client, server = memory.mcp(), memory.http()
        _, one, _ = client.call("elfmem_learn", content=TUESDAYS)
        assert "Consolidated 1: 1 promoted" in client.call("elfmem_consolidate")[0]
        assert client.call("elfmem_outcome", block_ids=[one["block_id"]], signal=1.0)[1]["blocks_updated"] == 1
        assert "Curated: 0 archived" in client.call("elfmem_curate")[0]
        server.call("learn", content=ALLERGY)
        assert server.call("consolidate")[1]["promoted"] == 1 and server.call("curate")[1]["archived"] == 0


@promise("belief: an outcome moves confidence by (c(2+n) + s·w)/(2+n+w)")
def belief():
    with Memory() as memory:
        one = memory.active(TUESDAYS)
        memory.json("outcome", one, "--signal", "1.0")
        assert close(memory.block(one)["confidence"], (0.5 * 2 + 1.0) / 3) and memory.block(one)["outcome_evidence"] == 1.0
        memory.json("outcome", one, "--signal", "0.0", "--weight", "2")
        assert close(memory.block(one)["confidence"], (2 / 3 * 3 + 0.0) / 5)


@promise("belief: a bad outcome doubles the rate up to 0.05, and spares durable blocks")
def penalty():
    with Memory() as memory:
        plain = memory.learn(TUESDAYS)
        value = memory.learn("I value brevity", tag="self/value")
        memory.json("dream")
        rates = []
        for _ in range(4):
            memory.json("outcome", plain, value, "--signal", "0.1")
            rates.append(memory.block(plain)["decay_lambda"])
        assert all(map(close, rates, [0.02, 0.04, 0.05, 0.05])), rates
        assert close(memory.block(value)["decay_lambda"], 0.001)


@promise("learn: archived text that is learned again comes back as the same block")
def comes_back():
    with Memory() as memory:
        one = memory.active(TUESDAYS)
        memory.json("forget", one)
        assert memory.learn(TUESDAYS) == one and memory.block(one)["status"] == "inbox"


@promise("learn: empty text and text over 64 KiB are refused with a way out")
def refused_texts():
    with Memory() as memory:
        assert memory.refused("learn", "  ")["recovery"]
        done = memory.run("--json", "learn", "-", stdin="word " * 20_000)
        assert done.returncode != 0 and "learn" in done.stdout + done.stderr and "document" in done.stdout + done.stderr


@promise("dream: a repetition is rejected and counts as a use; a contradiction is recorded and both stay")
def dream():
    with Memory(ELFMEM_SUPERSEDE_AT_LEARN="false") as memory:
        one = memory.active(TUESDAYS)
        memory.learn("Deploys go out on Tuesdays.")
        done = memory.json("dream")
        assert (done["deduplicated"], done["promoted"]) == (1, 0), done
        other = memory.learn("Deploys never go out on Tuesdays")
        done = memory.json("dream")
        assert done["contradictions_detected"] == 1, done
        assert memory.block(one)["status"] == memory.block(other)["status"] == "active"


@promise("session: a session's time counts, and beginning twice goes on")
def session():
    with Memory() as memory:
        memory.text("session", "begin")
        assert memory.json("status")["session_active"]
        memory.text("session", "begin")
        memory.text("session", "end")
        assert memory.refused("session", "end")["kind"] == "SessionError"


@promise("config: a file in the user's folder sets the inbox threshold, and status shows it")
def config_file():
    with Memory() as memory:
        writes_to(memory.folder, ".config/elfmem/config.toml", "[memory]\ninbox_threshold = 3\n")
        for text in (TUESDAYS, ALLERGY, "The cat sleeps in the sun"):
            memory.learn(text)
        told = memory.json("status")
        assert (told["inbox_threshold"], told["health"]) == (3, "attention"), told


@promise("errors: an unknown id, an unknown verb parameter and a bad number are refused and change nothing")
def refusals():
    with Memory() as memory:
        one = memory.active(TUESDAYS)
        before = memory.json("history")
        assert memory.refused("outcome", one, "--signal", "7")["recovery"]
        assert memory.refused("show", "ffffffffffff")["recovery"]
        assert memory.run("connect", one).returncode != 0
        assert len(memory.json("history")["operations"]) == len(before["operations"])


@promise("undo: the last operation is taken back, a whole dream too")
def undo():
    with Memory() as memory:
        memory.learn(TUESDAYS, ALLERGY)
        memory.json("dream")
        memory.json("undo")
        told = memory.json("status")
        assert (told["inbox_count"], told["active_count"]) == (2, 0), told


@promise("verify: a memory that was used on every surface is sound")
def sound():
    with Memory() as memory:
        one, other = memory.active(TUESDAYS, ALLERGY)
        memory.json("connect", one, other, "--relation", "supports")
        memory.mcp().call("elfmem_recall", query="deploys")
        memory.http().call("outcome", block_ids=[one, other], signal=0.9)
        assert memory.json("verify")["sound"] and memory.json("doctor")["sound"]
