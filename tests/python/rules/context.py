"""One operation and what it left, for the rules; and what several rules ask."""

import math
from dataclasses import dataclass

from state import Difference, State

# Edges that may give way to others, unless somebody asserted them.
DISPLACEABLE = ("similar", "co_occurs")
ASSERTED = ("agent", "user")


@dataclass
class Context:
    """One operation: the memory before it, what each program left, and what each answered."""

    operation: dict
    before: State
    theirs: State
    ours: State
    their_answer: dict
    our_answer: dict
    # What ours held before it.
    ours_before: State
    # Pairs of texts that ours asked the model to compare.
    compared: frozenset

    @property
    def name(self):
        return self.operation["operation"]

    @property
    def given(self):
        return self.operation["arguments"]

    def text(self):
        return self.given.get("content", "").strip().lower()

    def ends(self):
        """The texts that a connection is between."""
        by_id = {block["id"]: text for text, block in self.before.blocks.items()}
        return tuple(sorted(by_id.get(self.given.get(end), "") for end in ("source", "target")))


def compare_answers(context):
    """Differences between the answers: who refused, and what was counted."""
    theirs, ours = context.their_answer, context.our_answer
    if ("error" in theirs) != ("error" in ours):
        return [Difference("answer.error", context.name, theirs.get("error"), ours.get("error"))]
    counted = {
        "outcome": ["blocks_updated", "edges_reinforced", "blocks_penalized", "outcome_edges_created"],
        "connect": ["action"], "disconnect": ["action"], "curate": ["archived"],
    }.get(context.name, [])
    found = []
    for name in counted if "error" not in theirs else []:
        # 0.20 has nothing to count where it does nothing.
        one, other = theirs["result"].get(name, 0), ours["result"].get(name, 0)
        if one != other:
            found.append(Difference(f"answer.{name}", context.name, one, other))
    return found


def tier(block):
    """The decay rate of the tags and the category."""
    if "self/constitutional" in block["tags"]:
        return 0.00001
    if block["tags"] & {"self/value", "self/constraint", "self/goal"}:
        return 0.001
    return {"mind": 0.001, "observation": 0.05}.get(block["category"], 0.01)


def close(one, other, tolerance=1e-6):
    return one is not None and other is not None and math.isclose(one, other, rel_tol=0, abs_tol=tolerance)


def words(text):
    return text.replace(".", "").split()


def was(context, text):
    """The status of a text before the operation."""
    block = context.before.blocks.get(text)
    return block["status"] if block else None


def recency(block, hours, rate):
    return math.exp(-rate * max(0.0, hours - block["last_reinforced_at"]))


def may_be_displaced(edge):
    return edge is not None and edge["relation_type"] in DISPLACEABLE and edge["origin"] not in ASSERTED
