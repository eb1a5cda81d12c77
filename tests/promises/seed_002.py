"""Seed 002: curate."""

from harness import Memory, close, promise
from seed_000 import edge_by_hand, many


def archived(memory):
    return {row["content"] for row in memory.rows("SELECT content FROM blocks WHERE status = 'archived' "
                                                  "AND archive_reason = 'decayed'")}


def quiet():
    """A memory that curates only when it is told to."""
    return Memory(ELFMEM_AUTO_CURATE="false")


@promise("002: standard blocks fade after 299 hours, observations after 59, durable and permanent ones later")
def tiers():
    for hours, gone in ((59, set()), (61, {"It rained"}), (299, {"It rained"}), (301, {"It rained", "Ravi has a van"}),
                        (2990, {"It rained", "Ravi has a van"}), (3001, {"It rained", "Ravi has a van", "I like brevity"})):
        with quiet() as memory:
            memory.learn("It rained", category="observation")
            memory.learn("Ravi has a van")
            memory.learn("I like brevity", tag="self/value")
            memory.learn("I keep promises", tag="self/constitutional")
            memory.json("dream")
            memory.age(hours)
            memory.json("curate", "--reinforce-top-n", "0")
            assert archived(memory) == gone, (hours, archived(memory))


@promise("002: the tier comes from the tags: one that is added later counts")
def later_tag():
    with quiet() as memory:
        one = memory.active("Invoices are kept for ten years")
        memory.json("tag", "add", one, "self/constitutional")
        memory.age(400)
        memory.json("curate", "--reinforce-top-n", "0")
        assert memory.block(one)["status"] == "active"


@promise("002: edges below 0.10 go, those at 0.10 stay")
def weak_edges():
    with quiet() as memory:
        ids = many(memory, 4)
        edge_by_hand(memory, ids[0], ids[1], "supports", "agent", 0.0999)
        edge_by_hand(memory, ids[2], ids[3], "supports", "agent", 0.10)
        done = memory.json("curate")
        assert done["edges_pruned"] == 1 and memory.edge(*ids[:2]) is None and memory.edge(*ids[2:]), done


@promise("002: archiving takes the edges of a block, and they do not count as pruned")
def edges_of_archived():
    with quiet() as memory:
        ids = many(memory, 2)
        memory.json("connect", *ids, "--relation", "supports")
        memory.age(400)
        done = memory.json("curate", "--reinforce-top-n", "0")
        assert (done["archived"], done["edges_pruned"]) == (2, 0) and memory.edge(*ids) is None, done


@promise("002: the best five are kept fresh, by the self weights, and stamped with the present hour")
def best_five():
    with quiet() as memory:
        ids = many(memory, 8)
        for one in ids[:5]:
            memory.json("outcome", one, "--signal", "1.0")
        memory.age(50)
        done = memory.json("curate")
        assert done["reinforced"] == 5 and set(done["reinforced_ids"]) == set(ids[:5]), done
        for one in ids:
            stamp = memory.block(one)["last_reinforced_at"]
            assert (stamp > 49) == (one in ids[:5]), (one, stamp)


@promise("002: on an empty memory curate does nothing: (0, 0, 0)")
def empty():
    with quiet() as memory:
        done = memory.json("curate")
        assert (done["archived"], done["edges_pruned"], done["reinforced"]) == (0, 0, 0), done
        assert memory.text("curate").startswith("Curated: 0 archived, 0 edges pruned, 0 reinforced.")


@promise("002: a session that begins curates first when 40 active hours have passed, and its end never does")
def at_begin():
    with Memory() as memory:
        memory.learn("It rained", category="observation")
        memory.json("dream")
        memory.text("session", "begin")
        memory.text("session", "end")
        memory.age(39)
        memory.text("session", "begin")
        memory.age(40)
        memory.text("session", "end")
        assert not archived(memory), "the end does not curate"
        assert "Curated: 1 archived" in memory.text("session", "begin")
        assert archived(memory) == {"It rained"}


@promise("002: curate looks at active blocks only, and last_curate_at is noted")
def forward_only():
    with quiet() as memory:
        one = memory.learn("It rained", category="observation")
        memory.age(400)
        memory.json("curate")
        assert memory.block(one)["status"] == "inbox"
        noted = memory.rows("SELECT value FROM system_config WHERE key = 'last_curate_at'")
        assert close(float(noted[0]["value"]), 400, 0.1), noted


@promise("002: curate asks no model: it works with an embedder that nobody can reach")
def no_model():
    with quiet() as memory:
        memory.active("Ravi has a van")
        memory.environment |= {"ELFMEM_EMBEDDER": "openai:gone", "ELFMEM_ANALYST": "openai:gone", "OPENAI_API_KEY": "none",
                               "ELFMEM_BASE_URL": "http://127.0.0.1:9/v1"}
        memory.age(400)
        assert memory.json("curate", "--reinforce-top-n", "0")["archived"] == 1
        memory.learn("Basil grows in the sun")
        assert memory.run("dream").returncode != 0, "a dream would ask"
