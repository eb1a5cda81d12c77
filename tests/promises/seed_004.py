"""Seed 004: links."""

import json

from harness import Memory, close, promise


def tell(memory, text, kind="fact", source="user", links=(), **more):
    event = {"event_kind": kind, "source": source, "payload": {"data": text},
             "links": [{"type": kind_of_link, "target": target} for kind_of_link, target in links], **more}
    return memory.json("event", "store", "-", stdin=json.dumps(event))["block_id"]


def belief(memory, block_id):
    return memory.block(block_id)["confidence"]


@promise("004: an event as the seed writes it is stored, with its links")
def example():
    with Memory() as memory:
        one, other = tell(memory, "const is used in module a"), tell(memory, "var leaks out of its block")
        event = {"event_kind": "fact", "source": "agent", "payload": {"topic": "const_usage", "value": "always use const in React"},
                 "links": [{"type": "reinforces", "target": one}, {"type": "derived_from", "target": other}]}
        made = memory.json("event", "store", "-", stdin=json.dumps(event))["block_id"]
        links = {(link["link_type"], link["to"]) for link in memory.json("links")["links"]}
        assert {("reinforces", one), ("derived_from", other)} <= links, links
        assert close(belief(memory, one), 0.75) and memory.block(made)["status"] == "active"


@promise("004: reinforces adds 0.05 up to 1.0 and compounds: three add 0.15")
def reinforces():
    with Memory() as memory:
        target, before = (lambda one: (one, belief(memory, one)))(tell(memory, "Deploys go out on Tuesdays"))
        for number in range(1, 8):
            tell(memory, f"Witness {number} saw the deploy of week {number}", links=[("reinforces", target)])
            assert close(belief(memory, target), min(1.0, before + 0.05 * number)), number


@promise("004: contradicts takes 0.10 down to 0.2")
def contradicts():
    with Memory() as memory:
        target = tell(memory, "Deploys go out on Tuesdays")
        for number, expected in enumerate((0.6, 0.5, 0.4, 0.3, 0.2, 0.2), start=1):
            tell(memory, f"Witness {number} saw no deploy in week {number}", links=[("contradicts", target)])
            assert close(belief(memory, target), expected), (number, belief(memory, target))
        assert memory.block(target)["status"] == "active", "it is never removed"


@promise("004: related_to, extends and derived_from do not change belief")
def without_effect():
    with Memory() as memory:
        target = tell(memory, "Deploys go out on Tuesdays")
        for kind in ("related_to", "extends", "derived_from"):
            tell(memory, f"Kofi said so in words of {kind}", links=[(kind, target)])
        assert close(belief(memory, target), 0.7)


@promise("004: a contradicted target stays in every answer, below and marked: recall, retrieve, frames, on each surface")
def deprioritised():
    with Memory() as memory:
        target = tell(memory, "The sourdough starter is fed at noon")
        against = tell(memory, "The sourdough starter is fed at midnight", links=[("contradicts", target)])
        question = "when is the sourdough starter fed?"
        recalled = memory.json("recall", question)["blocks"]
        assert [block["id"] for block in recalled] == [against, target], recalled
        assert recalled[1]["contradicted_by"] == [against] and not recalled[0]["contradicted_by"]
        for frame in ("attention", "task", "search"):
            text = memory.json("frame", frame, question)["text"]
            assert text.index("fed at midnight") < text.index("(contradicted)") < text.index("fed at noon"), text
        found = memory.json("retrieve", question)["items"]
        assert [item["block_id"] for item in found] == [against, target], found
        told = memory.mcp().call("elfmem_recall", query=question)[0]
        assert told.index("fed at midnight") < told.index("fed at noon"), told
        assert [block["id"] for block in memory.http().call("recall", query=question)[1]["blocks"]] == [against, target]


@promise("004: the stronger of two that contradict each other comes first whatever the words of the question fit, both texts are there")
def stronger_first():
    for text in ("The sourdough starter wants its flour and water at midnight", "Hermann gets nothing before midnight"):
        with Memory() as memory:
            target = tell(memory, "The sourdough starter is fed at noon")
            against = tell(memory, text, links=[("contradicts", target)])
            question = "is the sourdough starter fed at noon?"
            recalled = memory.json("recall", question)["blocks"]
            assert [block["id"] for block in recalled] == [against, target], recalled
            assert recalled[1]["contradicted_by"] == [against], recalled
            one = memory.json("recall", question, "--top-k", "1")
            assert [block["id"] for block in one["blocks"]] == [against], one
            assert [left["content"] for left in one["left_out"]] == ["The sourdough starter is fed at noon"], one
            found = memory.json("retrieve", question)["items"]
            assert [(item["block_id"], item["contradicted"]) for item in found] == [(against, False), (target, True)], found
            for frame in ("attention", "task", "search", "simulate"):
                told = memory.json("frame", frame, question)["text"]
                assert told.index(text) < told.index("(contradicted)") < told.index("fed at noon"), told
            told = memory.mcp().call("elfmem_recall", query=question, top_k=1)[0]
            assert text in told and "fed at noon" in told, told


@promise("004: what extends a target comes back with it, also at top_k 1 and limit 1, in addition")
def extends():
    with Memory() as memory:
        target = tell(memory, "Deploys go out on Tuesdays")
        memory.active("Umbrellas are sold out", "Ravi repaired the delivery van")
        detail = tell(memory, "Kofi presses the green button", links=[("extends", target)])
        question = "on which day do deploys go out, Tuesdays?"
        assert [block["id"] for block in memory.json("recall", question, "--top-k", "1")["blocks"]] == [target, detail]
        assert [item["block_id"] for item in memory.json("retrieve", question, "--limit", "1")["items"]] == [target, detail]
        assert "green button" in memory.json("frame", "attention", question, "--top-k", "1")["text"]


@promise("004: derived_from is made for constraint, rule and constraint_violation events with a context, and for no other")
def derived():
    for kind, derives in (("constraint", True), ("rule", True), ("constraint_violation", True), ("fact", False)):
        with Memory() as memory:
            tell(memory, "Releases are frozen in December", kind=kind, context_id="project:shop")
            made = [link["link_type"] for link in memory.json("links")["links"]]
            assert ("derived_from" in made) == derives, (kind, made)


@promise("004: links run between loci and contexts, and between contexts")
def layers():
    with Memory() as memory:
        one = tell(memory, "Hooks need a stable order", context_id="session:monday")
        tell(memory, "Effects run after paint", context_id="skill:react")
        memory.json("link", one, "extends", "session:monday")
        memory.json("link", "session:monday", "related_to", "skill:react")
        assert len(memory.json("links")["links"]) >= 2


@promise("004: the graduation chain: the decision comes back, with the chain behind it")
def chain():
    with Memory() as memory:
        mistake = tell(memory, "Used var instead of const in React component", kind="observation", source="agent")
        pattern = tell(memory, "Repeated use of var in React", source="agent", links=[("derived_from", mistake)])
        skill = tell(memory, "Always use const or let in React components", kind="decision", source="agent",
                     links=[("extends", pattern), ("reinforces", mistake)])
        found = memory.json("retrieve", "const or let in React components?")["items"]
        assert found[0]["block_id"] == skill, found
        behind = memory.text("chain", skill)
        assert "Repeated use of var in React" in behind and "Used var instead of const" in behind, behind
