"""Seed 001: results that can be read, guide, status, history, errors, the tools of MCP."""

import re

from harness import Memory, promise, writes_to

ALLERGY, ALLERGY_ID = "Maria is allergic to peanuts", "0df8edae6b966de1"
CARDS = ["learn", "consolidate", "frame", "recall", "curate", "status", "history", "guide", "connect", "disconnect",
         "connect_by_query", "connects"]


def fill(memory, count=10):
    words = "amber basil cedar delta ember fjord grove haven ivory jade".split()
    for word in words[:count]:
        memory.learn(f"The {word} box stands by the {word} door")


@promise("001: learn reads as in the seed: created, duplicate, near-duplicate")
def learn_sentences():
    with Memory() as memory:
        assert memory.text("learn", ALLERGY).strip() == "Stored block 0df8edae. Status: created."
        assert memory.text("learn", ALLERGY).strip() == "Duplicate rejected — block 0df8edae already exists."
        first = memory.json("learn", "Deploys go out on Tuesdays")
        again = memory.json("learn", "Deploys go out on the Tuesdays.")
        assert again["status"] == "near_duplicate_superseded" and first["block_id"] in str(again["superseded"]), again
        assert memory.block(first["block_id"])["status"] == "archived"
        assert memory.json("learn", "Deploys go out on Wednesdays")["status"] == "created", "another day is another fact"


@promise("001: near_duplicate_superseded on MCP and HTTP too, and against active blocks")
def near_duplicates():
    with Memory() as memory:
        memory.active("Deploys go out on Tuesdays")
        text, done, _ = memory.mcp().call("elfmem_learn", content="Deploys go out on the Tuesdays.")
        assert done["status"] == "near_duplicate_superseded" and "near_duplicate_superseded" in text, text
    with Memory() as memory:
        server = memory.http()
        server.call("learn", content="Deploys go out on Tuesdays")
        assert server.call("learn", content="Deploys go out on the Tuesdays.")[1]["status"] == "near_duplicate_superseded"


@promise("001: a wording that was superseded and is learned again supersedes its successor: one of the two stands")
def earlier_wordings():
    with Memory() as memory:
        first = memory.json("learn", "Deploys go out on Tuesdays")["block_id"]
        second = memory.json("learn", "Deploys go out on the Tuesdays.")["block_id"]
        again = memory.json("learn", "Deploys go out on Tuesdays")
        assert (again["status"], again["block_id"]) == ("near_duplicate_superseded", first), again
        assert second in str(again["superseded"]) and memory.block(second)["status"] == "archived", again
        assert [block["id"] for block in memory.json("recall", "when do deploys go out?")["blocks"]] == [first]


@promise("001: consolidate reads as in the seed, with and without anything to do, and has its counts")
def consolidate_sentences():
    with Memory() as memory:
        memory.learn(ALLERGY)
        assert memory.text("dream").startswith("Consolidated 1: 1 promoted, 0 deduped, 0 edges.")
        assert memory.text("dream").startswith("Nothing to consolidate. Inbox was empty.")
        assert {"processed", "promoted", "deduplicated", "edges_created"} <= memory.json("consolidate").keys()


@promise("001: frame has frame_name, block_count, cached and text")
def frame_result():
    with Memory() as memory:
        memory.active(ALLERGY)
        shown = memory.json("frame", "attention", "peanuts")
        assert {"frame_name", "block_count", "cached", "text"} <= shown.keys() and shown["frame_name"] == "attention", shown
        assert ALLERGY in shown["text"]


@promise("001: status has the ten fields, on every surface")
def status_fields():
    with Memory() as memory:
        memory.learn(ALLERGY)
        fields = {"session_active", "session_hours", "inbox_count", "inbox_threshold", "active_count", "archived_count",
                  "total_active_hours", "last_consolidated", "health", "suggestion"}
        assert fields <= memory.json("status").keys()
        assert fields <= memory.http().call("status")[1].keys()
        text, told, _ = memory.mcp().call("elfmem_status")
        assert told is None or fields <= told.keys()
        assert "1/10" in text, text


@promise("001: health and suggestion follow the inbox, word for word")
def suggestions():
    with Memory() as memory:
        told = memory.json("status")
        assert (told["health"], told["suggestion"]) == ("good", "Memory empty. Call learn() to add knowledge."), told
        assert told["last_consolidated"] == "never", told
        fill(memory, 8)
        told = memory.json("status")
        assert (told["health"], told["suggestion"]) == ("good", "Inbox 8/10. Consolidation approaching."), told
        fill(memory)
        told = memory.json("status")
        assert (told["health"], told["suggestion"]) == (
            "attention", "Inbox full. Call consolidate() to process pending blocks."), told
        memory.json("dream")
        told = memory.json("status")
        assert (told["health"], told["suggestion"]) == ("good", "Memory healthy. No action required."), told
        assert re.match(r"\d{4}-\d\d-\d\dT", told["last_consolidated"]), told


@promise("001: health is true to fact: one source of truth for CLI, doctor, MCP and HTTP")
def health():
    hosted = {"ELFMEM_EMBEDDER": "openai:words-64", "OPENAI_API_KEY": "none", "ELFMEM_BASE_URL": "http://127.0.0.1:9/v1"}
    for way in ("variable", "flag", "file"):
        with Memory() as memory:
            memory.learn(ALLERGY)
            flags = []
            if way == "variable":
                memory.environment |= hosted
            elif way == "flag":
                flags = ["--embedder", "openai:words-64"]
                memory.environment |= {key: hosted[key] for key in hosted if key != "ELFMEM_EMBEDDER"}
            else:
                del memory.environment["ELFMEM_EMBEDDER"]
                memory.environment |= {key: hosted[key] for key in hosted if key != "ELFMEM_EMBEDDER"}
                writes_to(memory.folder, ".config/elfmem/config.toml", '[models]\nembedder = "openai:words-64"\n')
            told = memory.json("status", *flags)
            assert "static" not in told["suggestion"], (way, told)
            text, _, _ = memory.mcp(*flags).call("elfmem_status")
            assert told["suggestion"] in text and told["health"] in text, (way, told, text)


@promise("001: guide without a name, with a name, with an unknown one; it needs no memory")
def guide():
    with Memory() as memory:
        overview = memory.text("guide")
        for name in CARDS:
            card = memory.text("guide", name)
            assert card.startswith(f"{name}: "), card
            for label in ("Use when", "Not when", "Cost", "Returns", "Next", "Example"):
                assert re.search(rf"^  {label}\s+\S", card, re.M), (name, label)
            assert re.search(rf"^  {name}\b.*(Instant|Fast|LLM call|Slow \(batch\))\s+\S", overview, re.M), name
        unknown = memory.refused("guide", "fly")["message"]
        assert unknown.startswith("Unknown method. Available: ") and all(name in unknown for name in CARDS)
        assert not memory.path.exists()


@promise("001: the card of learn has the seed's words")
def learn_card():
    with Memory() as memory:
        card = memory.text("guide", "learn")
        for words in ("Store a knowledge block for future retrieval.", "Instant. No LLM calls.",
                      "'near_duplicate_superseded' (similar block replaced)",
                      "Session context manager auto-consolidates on exit when inbox >= threshold."):
            assert words in card, words


@promise("001: the history line reads learn() → … and consolidate() → … with its age, on CLI and MCP")
def history():
    with Memory() as memory:
        memory.learn(ALLERGY)
        memory.json("dream")
        client = memory.mcp("--tools", "all")
        for told in (memory.text("history"), client.call("elfmem_history")[0]):
            assert "learn() → Stored block 0df8edae. Status: created. (just now)" in told, told
            assert "consolidate() → Consolidated 1: 1 promoted, 0 deduped, 0 edges. (just now)" in told, told


@promise("001: a session consolidates on exit when the inbox is full, says so, and a setting turns it off")
def session_end():
    with Memory() as memory:
        memory.text("session", "begin")
        fill(memory)
        told = memory.text("session", "end")
        assert "Consolidated 10: 10 promoted" in told, told
        assert memory.json("status")["inbox_count"] == 0
    with Memory() as memory:
        memory.text("session", "begin")
        fill(memory, 9)
        memory.text("session", "end")
        assert memory.json("status")["inbox_count"] == 9, "it was not full"
    with Memory(ELFMEM_SESSION_CONSOLIDATE="false") as memory:
        memory.text("session", "begin")
        fill(memory)
        memory.text("session", "end")
        assert memory.json("status")["inbox_count"] == 10


@promise("001: the session of a server consolidates when it ends")
def server_end():
    with Memory() as memory:
        client = memory.mcp()
        for word in "amber basil cedar delta ember fjord grove haven ivory jade".split():
            client.call("elfmem_learn", content=f"The {word} box stands by the {word} door")
        client.stop()
        assert memory.json("status")["inbox_count"] == 0


@promise("001: errors have a kind, a message and a recovery: session, frame, config")
def errors():
    with Memory() as memory:
        memory.learn(ALLERGY)
        assert memory.refused("session", "end")["kind"] == "SessionError"
        error = memory.refused("frame", "nowhere")
        assert error["kind"] == "FrameError", error
        assert all(name in error["recovery"] for name in ("self", "attention", "task")), error
        memory.environment["ELFMEM_INBOX_THRESHOLD"] = "many"
        error = memory.refused("status")
        assert error["kind"] == "ConfigError" and error["recovery"], error


@promise("001: the seven tools of the seed, each with a description that says when, and text as its answer")
def tools():
    with Memory() as memory:
        client = memory.mcp()
        listed = client.tools()
        for name, parameters in (("learn", {"content", "tags", "category"}), ("recall", {"query", "top_k"}),
                                 ("frame", {"name", "query", "top_k"}), ("status", set()), ("guide", {"method_name"}),
                                 ("consolidate", set()), ("curate", set())):
            tool = listed[f"elfmem_{name}"]
            assert len(tool["description"]) > 40 and parameters <= set(tool["inputSchema"].get("properties", {})), tool
        for name, given in (("learn", {"content": ALLERGY}), ("recall", {"query": "peanuts"}),
                            ("frame", {"name": "attention", "query": "peanuts"}), ("status", {}), ("guide", {}),
                            ("consolidate", {}), ("curate", {})):
            text, _, failed = client.call(f"elfmem_{name}", **given)
            assert text.strip() and not failed, (name, text)
        assert "session open" in client.call("elfmem_status")[0], "the first call begins a session"


@promise("001: learning asks no model: it works with an embedder that nobody can reach")
def no_model():
    with Memory(ELFMEM_EMBEDDER="openai:gone", ELFMEM_ANALYST="openai:gone", OPENAI_API_KEY="none",
                ELFMEM_BASE_URL="http://127.0.0.1:9/v1") as memory:
        assert memory.json("learn", ALLERGY)["status"] == "created"
        assert memory.json("status")["inbox_count"] == 1


@promise("001: status writes nothing")
def status_reads():
    with Memory() as memory:
        memory.learn(ALLERGY)
        before = memory.path.read_bytes()
        memory.json("status")
        assert memory.path.read_bytes() == before
