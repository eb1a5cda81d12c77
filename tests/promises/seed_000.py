"""Seed 000: connect, disconnect, and edges of outcomes."""

import json

from harness import Memory, close, promise

TEXTS = ["Deploys go out on Tuesdays", "Maria is allergic to peanuts", "The cat sleeps in the sun"]
WEIGHTS = {"similar": 0.65, "co_occurs": 0.55, "elaborates": 0.70, "supports": 0.75, "contradicts": 0.60, "outcome": 0.80,
           "my_own": 0.65}


def many(memory, count):
    """Active blocks that nothing joins."""
    words = "amber basil cedar delta ember fjord grove haven ivory jade koala lemon maple nylon".split()
    ids = [memory.learn(f"The {word} box stands by the {word} door of shed {number}") for number, word in
           enumerate(words[:count])]
    memory.json("dream")
    memory.write("DELETE FROM edges")
    return ids


def edge_by_hand(memory, one, other, relation="similar", origin="similarity", weight=0.5):
    memory.write("INSERT INTO edges (from_id, to_id, weight, reinforcement_count, created_at, relation_type, origin) "
                 "VALUES (?, ?, ?, 0, '2026-05-01T08:00:00.000000+00:00', ?, ?)",
                 *sorted((one, other)), weight, relation, origin)


@promise("000: edges have relation_type, origin, last_active_hours and note, with the defaults of the seed")
def schema():
    with Memory() as memory:
        memory.learn("one")
        columns = {row["name"]: row for row in memory.rows("SELECT * FROM pragma_table_info('edges')")}
        assert columns["relation_type"]["dflt_value"] == "'similar'", columns["relation_type"]
        assert columns["origin"]["dflt_value"] == "'similarity'", columns["origin"]
        assert not columns["last_active_hours"]["notnull"] and not columns["note"]["notnull"]


@promise("000: connect creates an edge of the agent with the weight of its relation and the note")
def creates():
    for relation, weight in WEIGHTS.items():
        with Memory() as memory:
            one, other = memory.active(*TEXTS[:2])
            made = memory.json("connect", one, other, "--relation", relation, "--note", "because")
            assert (made["action"], made["relation"], made["note"]) == ("created", relation, "because"), made
            edge = memory.edge(one, other)
            assert (edge["origin"], edge["relation_type"], edge["note"]) == ("agent", relation, "because"), edge
            assert close(edge["weight"], weight) and edge["last_active_hours"] is not None, edge


@promise("000: connect without a relation is similar; an explicit weight wins and is clamped to [0, 1]")
def weights():
    with Memory() as memory:
        one, other, third = memory.active(*TEXTS)
        assert memory.json("connect", one, other)["relation"] == "similar"
        assert memory.json("connect", one, third, "--weight", "0.33")["weight"] == 0.33
        assert memory.json("connect", other, third, "--weight", "7")["weight"] == 1.0


@promise("000: the order of source and target does not matter; ids are canonical")
def undirected():
    with Memory() as memory:
        one, other = memory.active(*TEXTS[:2])
        memory.json("connect", max(one, other), min(one, other), "--relation", "supports")
        assert memory.json("connect", one, other)["action"] == "reinforced"
        assert memory.edge(one, other)["from_id"] == min(one, other)


@promise("000: if_exists reinforce adds 0.10 and one to the count, up to 1.0")
def reinforces():
    with Memory() as memory:
        one, other = memory.active(*TEXTS[:2])
        weights = [memory.json("connect", one, other, "--relation", "supports")["weight"] for _ in range(5)]
        assert all(map(close, weights, [0.75, 0.85, 0.95, 1.0, 1.0])), weights
        assert memory.edge(one, other)["reinforcement_count"] == 4


@promise("000: if_exists update, skip and error")
def if_exists():
    with Memory() as memory:
        one, other = memory.active(*TEXTS[:2])
        memory.json("connect", one, other, "--relation", "supports")
        skipped = memory.json("connect", one, other, "--relation", "contradicts", "--if-exists", "skip")
        assert (skipped["action"], skipped["relation"]) == ("skipped", "supports"), skipped
        updated = memory.json("connect", one, other, "--relation", "elaborates", "--note", "n", "--if-exists", "update")
        assert (updated["action"], updated["weight"]) == ("updated", 0.75), updated
        assert memory.edge(one, other)["relation_type"] == "elaborates" and memory.edge(one, other)["note"] == "n"
        error = memory.refused("connect", one, other, "--if-exists", "error")
        assert error["kind"] == "ConnectError" and "already exists" in error["message"] and error["recovery"], error


@promise("000: SelfLoopError, BlockNotActiveError and their recoveries read as in the seed")
def errors():
    with Memory() as memory:
        one = memory.active(TEXTS[0])
        archived = memory.active(TEXTS[1])
        memory.json("forget", archived)
        error = memory.refused("connect", one, one)
        assert error == {"kind": "SelfLoopError", "message": f"Cannot connect block '{one[:8]}' to itself.",
                         "recovery": "source and target must be different block IDs."}, error
        for inactive in (archived, "ffffffffffffffff"):
            error = memory.refused("connect", one, inactive)
            assert error["kind"] == "BlockNotActiveError", error
            assert f"Block '{inactive[:8]}…' not found in active memory." in error["message"], error
            assert error["recovery"], error


@promise("000: at the degree cap the weakest similar edge gives way and is reported; protected ones never do")
def displaces():
    with Memory() as memory:
        hub, *others = many(memory, 12)
        for number, other in enumerate(others[:10]):
            relation, origin = [("supports", "agent"), ("outcome", "outcome"), ("co_occurs", "co_retrieval"),
                                ("similar", "similarity")][min(number, 3)]
            edge_by_hand(memory, hub, other, relation, origin, 0.2 + 0.01 * number)
        made = memory.json("connect", hub, others[10], "--relation", "supports")
        gone = made["displaced_edge"]
        assert {gone["from_id"], gone["to_id"]} == {hub, others[3]}, gone
        assert gone["relation_type"] == "similar" and close(gone["weight"], 0.23), gone
        newcomer = memory.active("A new thing that joins the hub later on")
        told = memory.text("connect", hub, newcomer, "--relation", "supports")
        assert "Displaced auto-similar edge (weight=0.24) to fit degree cap." in told, told


@promise("000: a cap full of protected edges is a DegreeLimitError; edge_degree_cap makes room")
def degree_limit():
    with Memory() as memory:
        hub, *others = many(memory, 12)
        for other in others[:10]:
            memory.json("connect", hub, other, "--relation", "supports")
        error = memory.refused("connect", hub, others[10])
        assert error["kind"] == "DegreeLimitError" and "10 protected edges" in error["message"], error
        for word in ("curate", "edge_degree_cap", "disconnect"):
            assert word in error["recovery"], error
        memory.environment["ELFMEM_EDGE_DEGREE_CAP"] = "12"
        assert memory.json("connect", hub, others[10])["action"] == "created"


@promise("000: disconnect removes, says not_found, and is guarded by a relation")
def disconnects():
    with Memory() as memory:
        one, other = memory.active(*TEXTS[:2])
        memory.json("connect", one, other, "--relation", "supports")
        assert memory.json("disconnect", one, other, "--guard-relation", "similar")["action"] == "guarded"
        removed = memory.json("disconnect", other, one, "--guard-relation", "supports", "--reason", "wrong")
        assert (removed["action"], removed["removed_relation"], removed["removed_weight"]) == ("removed", "supports", 0.75)
        assert memory.json("disconnect", one, other)["action"] == "not_found"
        assert "wrong" in memory.text("history"), "the reason is kept in the history"


@promise("000: results of connect and disconnect read as in the seed")
def sentences():
    with Memory() as memory:
        one, other = memory.active(*TEXTS[:2])
        arrow = f"{one[:8]}…→{other[:8]}…"
        assert memory.text("connect", one, other, "--relation", "supports").strip() == \
            f"Created supports edge: {arrow} (weight=0.75)."
        assert memory.text("disconnect", one, other).strip() == f"Removed supports edge: {arrow} (was weight=0.75)."
        assert memory.text("disconnect", one, other).strip() == f"No edge found between {one[:8]}… and {other[:8]}…"


@promise("000: connect_by_query shows both texts, previews with dry_run, and refuses what is not sure")
def by_query():
    with Memory() as memory:
        memory.active(*TEXTS)
        asked = ("connect", "--by-query", "on which day do deploys go out?", "what is Maria allergic to?")
        seen = memory.json(*asked, "--dry-run", "--min-confidence", "0.1")
        assert seen["action"] == "dry_run_preview", seen
        assert (seen["source_content"], seen["target_content"]) == tuple(TEXTS[:2]), seen
        assert not memory.rows("SELECT * FROM edges WHERE origin = 'agent'")
        unsure = memory.json("connect", "--by-query", "zebra crossings", "quantum chromodynamics")
        assert unsure["action"] == "insufficient_confidence" and unsure["connect_result"] is None, unsure
        made = memory.json(*asked, "--relation", "supports", "--min-confidence", "0.1")
        assert made["action"] == "connected" and made["connect_result"]["action"] == "created", made


@promise("000: the preview of connect_by_query reads as in the seed, on CLI and MCP")
def preview():
    with Memory() as memory:
        memory.active(*TEXTS)
        queries = ("on which day do deploys go out?", "what is Maria allergic to?")
        told = f"dry_run: source='{TEXTS[0]}…' | target='{TEXTS[1]}…'. Call again without dry_run=True to connect."
        assert told in memory.text("connect", "--by-query", *queries, "--dry-run", "--min-confidence", "0.1")
        asked = {"source_query": queries[0], "target_query": queries[1], "dry_run": True, "min_confidence": 0.1}
        assert told in memory.mcp("--tools", "all").call("elfmem_connect_by_query", **asked)[0]


@promise("000: connects collects errors without stopping, and counts by action")
def batch():
    with Memory() as memory:
        one, other, third = memory.active(*TEXTS)
        specs = [{"source": one, "target": other}, {"source": one, "target": one}, {"source": "ffffffff", "target": one},
                 {"source": other, "target": third, "relation": "supports"}, {"source": one, "target": other}]
        done = memory.json("connects", "-", stdin=json.dumps(specs))
        assert (done["created"], done["reinforced"], len(done["errors"])) == (2, 1, 2), done


@promise("000: outcome edges weigh signal × 0.8, and an outcome adds signal × 0.10 to an existing edge")
def outcomes():
    with Memory() as memory:
        one, other = memory.active(*TEXTS[:2])
        done = memory.json("outcome", one, other, "--signal", "0.9")
        assert (done["outcome_edges_created"], done["edges_reinforced"]) == (1, 0), done
        edge = memory.edge(one, other)
        assert close(edge["weight"], 0.72) and (edge["relation_type"], edge["origin"]) == ("outcome", "outcome"), edge
        done = memory.json("outcome", one, other, "--signal", "1.0")
        assert done["edges_reinforced"] == 1 and close(memory.edge(one, other)["weight"], 0.82), done
        for _ in range(4):
            memory.json("outcome", one, other, "--signal", "1.0")
        assert memory.edge(one, other)["weight"] == 1.0


@promise("000: a removed edge is gone from recall at once")
def expansion():
    with Memory() as memory:
        one, other = memory.active("Deploys go out on Tuesdays", "Kofi presses the green button")
        memory.json("connect", one, other, "--relation", "elaborates")
        ask = ("recall", "on which day do deploys go out, Tuesdays?", "--top-k", "5", "--no-contiguity")
        via = [block["explain"]["via"] for block in memory.json(*ask)["blocks"] if block["explain"]["via"]]
        assert [way["block_id"] for way in via] == [one], via
        memory.json("disconnect", one, other)
        assert not [block for block in memory.json(*ask)["blocks"] if block["explain"]["via"]]


@promise("000: MCP tools elfmem_connect and elfmem_disconnect have the parameters of the seed in the default list")
def tools():
    with Memory() as memory:
        one, other = memory.active(*TEXTS[:2])
        client = memory.mcp()
        listed = client.tools()
        for tool, names in (("elfmem_connect", {"source", "target", "relation", "note", "if_exists"}),
                            ("elfmem_disconnect", {"source", "target", "guard_relation", "reason"})):
            schema = listed[tool]["inputSchema"]
            assert names <= set(schema["properties"]), schema["properties"].keys()
            assert set(schema["required"]) == {"source", "target"}, schema["required"]
        _, made, _ = client.call("elfmem_connect", source=one, target=other, relation="supports", if_exists="error")
        assert made["action"] == "created", made
        text, error, failed = client.call("elfmem_connect", source=one, target=other, if_exists="error")
        assert failed and error["error"] == "ConnectError" and " — Recovery: " in text, (text, error)
        _, kept, _ = client.call("elfmem_disconnect", source=one, target=other, guard_relation="similar")
        assert kept["action"] == "guarded", kept
        _, gone, _ = client.call("elfmem_disconnect", source=one, target=other, reason="wrong")
        assert gone["action"] == "removed", gone


@promise("000: connect and disconnect over HTTP, with the same kinds of errors")
def over_http():
    with Memory() as memory:
        one, other = memory.active(*TEXTS[:2])
        server = memory.http()
        status, made = server.call("connect", source=one, target=other, relation="supports")
        assert status == 200 and made["action"] == "created", made
        status, refusal = server.call("connect", source=one, target=one)
        assert status >= 400 and "SelfLoopError" in json.dumps(refusal) and refusal["recovery"], refusal
        status, gone = server.call("disconnect", source=one, target=other, guard_relation="similar")
        assert gone["action"] == "guarded", gone


@promise("000: guide connect, guide disconnect and the overview carry the seed's texts")
def guide():
    with Memory() as memory:
        card = memory.text("guide", "connect")
        assert "Create or strengthen a semantic edge between two knowledge blocks." in card
        assert "Instant. No LLM calls. Pure database write." in card and "deferred" not in card
        assert "Remove the edge between two knowledge blocks." in memory.text("guide", "disconnect")
        overview = memory.text("guide")
        assert "  connect(src, tgt, ...)  Instant      Assert a semantic edge between two blocks\n" in overview
        assert "  disconnect(src, tgt)    Instant      Remove a wrong or unwanted edge\n" in overview
