"""One life of a memory that uses every tool once, in an order in which each can do its work."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from typing import Any

Answer = dict[str, Any]
Call = Callable[..., Awaitable[Answer]]


async def live(call: Call) -> None:
    """Calls every tool with arguments that work; `call(name, **arguments)` gives the dictionary back."""
    await call("begin_session", task_type="test")
    status = await call("status")
    assert status["session_active"] is True, status
    assert "recall" in (await call("guide"))["text"]

    deploys = (await call("learn", content="Deploys go out on Tuesdays after the stand-up", tags=["topic/release"]))["block_id"]
    maria = (await call("learn", content="Maria is allergic to peanuts", cues=["ordering food"]))["block_id"]
    waiting = await call("pending", max=10)
    assert {block["block_id"] for block in waiting["blocks"]} == {deploys, maria}, waiting
    document = await call("learn_document", text="# Parking\n\nThe garage closes at ten.\n\n# Lunch\n\nThe canteen opens at noon.")
    assert document["created"] >= 1, document
    said = [{"role": "Ana", "content": "Hi! I keep bees on the roof. Thanks!", "at": "2026-05-08"}]
    told = await call("learn_messages", messages=said)
    assert [fact["content"] for fact in told["facts"]] == ["Ana: I keep bees on the roof."], told
    dreamt = await call("consolidate")
    assert dreamt["promoted"] >= 3, dreamt

    found = await call("recall", query="who can't eat nuts?", top_k=3)
    assert found["blocks"][0]["block_id"] == maria, found
    framed = await call("frame", name="attention", query="when do we deploy?")
    assert "Tuesdays" in framed["text"], framed
    why = await call("why", query="peanuts", block_id=maria)
    assert why["block_id"] == maria, why

    await call("add_frame", name="release", tags=["topic/release"], budget=400)
    changed = await call("edit_frame", name="release", budget=500)
    assert changed["created"] is False, changed
    assert any(frame["name"] == "release" for frame in (await call("frames"))["frames"])
    await call("remove_frame", name="release")

    edge = await call("connect", source=deploys, target=maria, relation="supports", note="a test")
    assert edge["action"] == "created", edge
    many = await call("connects", edges=[{"source": deploys[:6], "target": maria[:6]}])
    assert many["reinforced"] == 1, many
    described = await call("connect_by_query", source_query="deploys on Tuesdays", target_query="allergic to peanuts", dry_run=True)
    assert described["connect_result"] is None, described
    gone = await call("disconnect", source=deploys, target=maria)
    assert gone["action"] == "removed", gone

    outcome = await call("outcome", block_ids=[maria], signal=0.9)
    assert outcome["blocks_updated"] == 1, outcome
    retracted = await call("retract_outcome", outcome_id=outcome["outcome_id"])
    assert retracted["blocks_updated"] == 1, retracted

    old = (await call("learn", content="The database listens on port 5432"))["block_id"]
    await call("consolidate")
    new = (await call("learn", content="The database does not listen on port 5432"))["block_id"]
    await call("consolidate")
    clashes = await call("contradictions")
    assert clashes["count"] == 1, clashes
    settled = await call("resolve_contradiction", a=old, b=new, keep=new)
    assert settled["archived"] == [old], settled

    listed = await call("list", status="active", limit=0)
    assert listed["count"] >= 4, listed
    await call("add_tags", block=deploys, tags=["durable"])
    await call("remove_tags", block=deploys, tags=["durable"])
    edited = await call("edit", block=deploys, category="decision")
    assert edited["block_id"] == deploys, edited
    await call("pin", block=deploys)
    await call("unpin", block=deploys)
    await call("forget", block=maria, reason="it was another Maria")
    await call("restore", block=maria)
    assert (await call("show", block_id=maria))["content"] == "Maria is allergic to peanuts"
    successor = (await call("learn", content="Deploys go out on Thursdays now"))["block_id"]
    await call("supersede", old=deploys, by=successor)
    await call("purge", block_id=maria, confirm="Maria is allergic to peanuts")
    await call("undo", dry_run=True)
    await call("curate")
    await call("migrate_embeddings")

    await decide_proposals(call)
    await learn_a_lesson(call)
    await look_behind(call, successor)
    assert (await call("history", limit=3))["count"] == 3
    assert (await call("log", block=successor))["count"] >= 1
    ended = await call("end_session")
    assert ended["hours"] >= 0, ended


async def decide_proposals(call: Call) -> None:
    """Two pairs that say nearly the same leave two proposals: one is taken, one is not."""
    for text in (
        "Ada runs the data team and lives in Braga",
        "Ada moved to Porto",
        "The red car belongs to Tom and Eva",
        "The red car of Tom and Eva belongs there",
    ):
        await call("learn", content=text)
        await call("consolidate")
    numbers = [proposal["number"] for proposal in (await call("proposals"))["proposals"]]
    assert len(numbers) == 2, numbers
    accepted = await call("accept_proposals", numbers=numbers[:1])
    assert accepted["numbers"] == numbers[:1], accepted
    rejected = await call("reject_proposals", numbers=numbers[1:])
    assert rejected["numbers"] == numbers[1:], rejected


async def learn_a_lesson(call: Call) -> None:
    """A mistake, a pattern and a skill, each with its links, as events tell them."""
    mistake = (
        await call(
            "store_event",
            event_kind="observation",
            source="agent",
            payload={"data": "Used var instead of const in a React component"},
            context_id="error:var_in_react",
        )
    )["block_id"]
    told = await call(
        "store_events",
        events=[
            {
                "event_kind": "fact",
                "payload": "Repeated use of var in React",
                "links": [{"type": "derived_from", "target": mistake}],
            }
        ],
    )
    pattern = told["results"][0]["block_id"]
    skill = (
        await call(
            "store_event",
            event_kind="decision",
            content="Always use const or let in React components",
            links=[{"type": "extends", "target": pattern}, {"type": "reinforces", "target": mistake}],
        )
    )["block_id"]
    assert pattern in str(await call("chain", block=skill)), skill
    linked = await call("link", **{"from": pattern, "link_type": "reinforces", "to": "skill:react"})
    assert linked["created"], linked
    assert (await call("links"))["count"] >= 4
    await call("unlink", **{"from": pattern, "link_type": "reinforces", "to": "skill:react"})
    await call("enrol", block=skill, context="skill:react")
    assert (await call("list_contexts"))["count"] >= 2
    await call("show_context", context="skill:react")
    await call("context_graph", context="skill:react")
    found = await call("retrieve_memories", query="var or const in React")
    assert found["items"][0]["block_id"] == skill, found
    await call("generate_insights", task="write a React component")
    assert (await call("list_events"))["count"] == 3
    await call("graduate")


async def look_behind(call: Call, block: str) -> None:
    """What a block rests on, what rests on it, and whether everything agrees."""
    await call("blame", block=block)
    await call("influence", block=block)
    await call("scan_secrets")
    await call("learn_document", text="The fair opens at nine.", name="fair.md")
    await call("retract_source", source="document", dry_run=True)
    assert "fair.md" in [one["name"] for one in (await call("documents"))["documents"]]
    assert (await call("forget_document", document="fair.md"))["archived"] == 1
    await call("review", all=True)
    await call("keep_replaced", blocks=["all"])
    assert (await call("verify", digest=True))["sound"]
