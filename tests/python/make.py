"""Makes memories of every kind with the Python elfmem that is installed, for `adoption.py`.

Argument: a folder. Writes `full.db`, with blocks in every state, all relations and origins, contradictions, outcomes,
sessions, a frame of the user, archived twins, minds, peers and (0.20) amendments and near-duplicates; and `inbox.db`,
which was never consolidated.
"""

import asyncio
import json
import os
import pathlib
import sqlite3
import sys
import tempfile

import numpy
from elfmem import MemorySystem
from elfmem.config import ElfmemConfig
from elfmem.types import BlockAnalysis

import models

RELATIONS = ["similar", "co_occurs", "elaborates", "supports", "contradicts", "outcome", "predicts", "validates", "my-own"]


class Embedding:
    """Vectors from words."""

    model_name = models.NAME

    async def embed(self, text):
        return numpy.array(models.vector(text), dtype=numpy.float32)

    async def embed_batch(self, texts):
        return [await self.embed(text) for text in texts]


class Analysis:
    """An analysis from the text alone."""

    async def process_block(self, block, self_context):
        return BlockAnalysis(alignment_score=models.alignment(block), tags=[], summary=None)

    async def detect_contradiction(self, one, other):
        return models.contradiction(one, other)


async def opened(path, **memory):
    """A memory whose models are ours."""
    config = ElfmemConfig.model_validate({"memory": memory, "embeddings": {"model": models.NAME}})
    config.llm.base_url = config.embeddings.base_url = "http://127.0.0.1:9"
    system = await MemorySystem.from_config(str(path), config)
    system._llm, system._embedding = Analysis(), Embedding()
    return system


def sql(path, *statements):
    """Writes by hand what no call of the Python elfmem writes any more."""
    with sqlite3.connect(path) as connection:
        for statement in statements:
            connection.execute(statement)
    connection.close()


async def dream_all(memory):
    """Consolidates until the inbox is empty; 0.20 takes five blocks at a time."""
    for _ in range(20):
        await memory.consolidate()
        if not (await memory.status()).inbox_count:
            return


async def make_full(folder):
    path = folder / "full.db"
    memory = await opened(path, edge_degree_cap=50)
    later = hasattr(memory, "accept_amendment")
    ids = {}

    async def learn(name, text, **labels):
        ids[name] = (await memory.learn(text, **labels)).block_id

    await memory.begin_session("first")
    await learn("constitution", "i keep promises and say what is uncertain", tags=["self/constitutional"])
    await learn("value", "i prefer plain short answers", tags=["self/value"])
    await learn("seen", "the build was red on friday", category="observation")
    await learn("maria", "maria is allergic to peanuts", tags=["people/maria"])
    await learn("twin", "the staging port is 5433")
    for number in range(10):
        await learn(f"topic{number}", f"release topic number {number} of shipping web code {'x' * number}")
    await learn("always", "the deploy job always runs alembic before it starts the web server")
    await learn("never", "the deploy job never runs alembic before it starts the web server at night")
    await dream_all(memory)
    pairs = [("maria", "topic0"), ("value", "topic1")] + [(f"topic{n}", f"topic{n + 3}") for n in range(7)]
    for relation, (one, other) in zip(RELATIONS, pairs):
        await memory.connect(ids[one], ids[other], relation=relation, if_exists="update", note=f"about {relation}")
    for signal in (1.0, 0.9, 0.1):
        await memory.outcome([ids["maria"], ids["topic0"], ids["topic5"]], signal, source="test")
    await memory.outcome([ids["topic8"]], 0.0, weight=2.0, source="test")
    await memory.end_session()
    for task in ("second", "third", "fourth"):
        await memory.begin_session(task)
        await memory.frame("attention", "who is allergic to peanuts", top_k=3)
        await memory.end_session()

    # A text that is archived and learned again has two rows.
    sql(path, f"DELETE FROM edges WHERE '{ids['twin']}' IN (from_id, to_id)",
        f"UPDATE blocks SET status = 'archived', archive_reason = 'forgotten' WHERE id = '{ids['twin']}'",
        "UPDATE system_config SET value = '120.5' WHERE key = 'total_active_hours'")
    await memory.begin_session("fifth")
    await learn("again", "the staging port is 5433", tags=["topic/ports"])
    mind = await memory.mind_create("Ada", goals=["ship the parser"], beliefs=["tests matter"])
    await dream_all(memory)
    mind_id = mind.block_id
    prediction = await memory.mind_predict(mind_id, "Ada will ask for a test first", verify_at="2027-01-01")
    decision = getattr(prediction, "decision_block_id", None) or getattr(prediction, "block_id")
    await memory.mind_outcome(decision, hit=True, reason="she did")
    await memory.connect(ids["again"], ids["maria"], relation="supports")
    await memory.peer_add("elf:ada", "Ada", delivery_path="/tmp/ada")
    await memory.peer_add("elf:bob", "Bob")
    bundle = folder / "bundle.json"
    bundle.write_text(json.dumps({
        "version": 1, "exported_at": "2026-05-01T08:00:00+00:00", "from_did": "elf:ada", "block_count": 2,
        "blocks": [
            {"id": "b1", "content": "ada says the parser is done", "category": "knowledge", "tags": ["parser"],
             "confidence": 0.8, "created_at": "2026-05-01T08:00:00+00:00", "share": "public"},
            {"id": "b2", "content": "ada says lunch is at noon", "category": "knowledge", "tags": [],
             "confidence": 0.6, "created_at": "2026-05-01T08:00:00+00:00", "share": "public"}],
        "edges": [{"from_id": ids["topic1"], "to_id": ids["topic9"], "relation_type": "supports", "weight": 0.6}]}))
    await memory.import_blocks(str(bundle), from_peer="elf:ada")
    if later:
        await memory.accept_amendment(ids["constitution"], "i keep promises and say what is not certain", "shorter")
        await learn("near1", "alpha beta gamma delta epsilon zeta eta theta iota kappa")
        await learn("near2", "alpha beta gamma delta epsilon zeta eta theta iota lambda")
        await dream_all(memory)
    await learn("waiting", "the invoice number is 4711")
    await learn("waiting_constitution", "i never hide a mistake", tags=["self/constitutional"])
    await learn("waiting_value", "i value small steps", tags=["self/value"])
    await learn("waiting_seen", "it rained at the offsite", category="observation")
    await memory.end_session()
    await memory.close()
    write_rare_rows(path, ids, later)
    return ids


def write_rare_rows(path, ids, later):
    """What a memory holds after long use: pairs seen together, old contradictions, blocks archived for every reason."""
    low, high = sorted([ids["topic2"], ids["topic9"]])
    seen = [sorted((ids[one], ids[other])) for one, other in (("topic6", "topic9"), ("maria", "topic9"), ("value", "topic9"))]
    when = "'2026-05-01T08:00:00.000000+00:00'"
    archived = "category, source, created_at, status, archive_reason, confidence, reinforcement_count, decay_lambda, " \
               "last_reinforced_at, outcome_evidence"
    loop = ids["topic4"]
    column = ", declared_by" if later else ""
    value = f", '{high}'" if later else ""
    sql(path,
        "INSERT OR REPLACE INTO frames VALUES ('mine', '{\"similarity\": 0.2, \"confidence\": 0.2, \"recency\": 0.2, "
        "\"centrality\": 0.2, \"reinforcement\": 0.2}', '{\"tag_patterns\": [\"topic/%\"]}', '[]', "
        "'## My facts\\n{% for block in blocks %}- {{ block }}{% endfor %}', 700, NULL, 'user', "
        "'2026-05-01T08:00:00.000000+00:00')",
        f"DELETE FROM edges WHERE from_id IN ('{low}', '{high}') AND to_id IN ('{low}', '{high}')",
        "INSERT INTO edges (from_id, to_id, weight, reinforcement_count, created_at, relation_type, origin) "
        f"VALUES ('{low}', '{high}', 0.9, 5, '2026-05-01T08:00:00.000000+00:00', 'similar', 'similarity')",
        f"INSERT INTO edges (from_id, to_id, weight, reinforcement_count, created_at, relation_type, origin{column}) "
        f"VALUES ('{high}', '{low}', 0.5, 1, '2026-05-01T08:00:00.000000+00:00', 'supports', 'agent'{value})",
        "INSERT OR IGNORE INTO edges (from_id, to_id, weight, reinforcement_count, created_at, relation_type, origin) "
        f"VALUES ('{loop}', '{loop}', 0.5, 0, '2026-05-01T08:00:00.000000+00:00', 'similar', 'import')",
        "INSERT OR REPLACE INTO system_config VALUES ('peer_identity', 'elf:me'), ('peer_inbox_dir', '/tmp/inbox')",
        f"UPDATE blocks SET share = 'public' WHERE id = '{ids['maria']}'",
        "INSERT OR REPLACE INTO edges (from_id, to_id, weight, reinforcement_count, created_at, relation_type, origin, "
        f"last_active_hours) VALUES ('{seen[0][0]}', '{seen[0][1]}', 0.55, 2, {when}, 'co_occurs', 'co_retrieval', 100.0)",
        f"INSERT OR REPLACE INTO contradictions (block_a_id, block_b_id, score, resolved, created_at) VALUES "
        f"('{seen[1][0]}', '{seen[1][1]}', 0.83, 1, {when}), ('{seen[2][0]}', '{seen[2][1]}', 0.91, 0, {when})",
        *(f"INSERT INTO co_retrieval_staging VALUES ('{one}', '{other}', {count})"
          for count, (one, other) in enumerate(seen[1:], start=1)),
        *(f"INSERT INTO blocks (id, content, {archived}) VALUES ('{number:016x}', 'old text {number}', 'knowledge', 'api', "
          f"{when}, 'archived', '{reason}', 0.4, 3, 0.02, 50.0, 1.5)"
          for number, reason in enumerate(("decayed", "superseded", "forgotten"), start=1)),
        # 0.20 computes belief from these two.
        *(["UPDATE blocks SET success_count = 1.0, failure_count = 1.5 WHERE content LIKE 'old text %'"] if later else []))


async def make_inbox(folder):
    memory = await opened(folder / "inbox.db")
    await memory.begin_session()
    for number in range(4):
        await memory.learn(f"note number {number} is still waiting")
    await memory.end_session()
    await memory.close()


async def main(folder):
    folder.mkdir(parents=True, exist_ok=True)
    ids = await make_full(folder)
    await make_inbox(folder)
    for path in folder.glob("*.db"):
        with sqlite3.connect(path) as connection:
            connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")
            connection.execute("PRAGMA journal_mode = DELETE")
        connection.close()
    (folder / "ids.json").write_text(json.dumps(ids, indent=1))


def leave_project():
    """Goes to a folder of its own: 0.20 writes to the project that it finds above the present one."""
    os.chdir(tempfile.mkdtemp())


if __name__ == "__main__":
    target = pathlib.Path(sys.argv[1]).resolve()
    leave_project()
    asyncio.run(main(target))
