"""Differences of curate."""

import math

from models import DEGREE_CAP
from state import effective

from .context import may_be_displaced, recency, tier

# Scores that differ by less may come out either way: the clocks differ a little.
TIE = 0.002


def is_trimmed(difference, context):
    """Ours brings blocks that theirs left above the cap back to it, and counts the edges that go."""
    def degree(text):
        return sum(text in key for key in context.before.edges)

    return (context.our_answer["result"]["edges_over_cap"] > 0
            and may_be_displaced(context.before.edges.get(difference.key))
            and any(degree(end) > DEGREE_CAP for end in difference.key))


def bridges(context, degrees):
    """Blocks with the greatest degrees, which curate keeps: the top fifth of those that have any."""
    some = sorted(degree for degree in degrees.values() if degree > 0)
    line = some[min(int(len(some) * 0.8), len(some) - 1)] if some else math.inf
    return {text for text, degree in degrees.items() if degree >= line}


def archived_by(context, ours):
    """The texts that a program archives as faded, and those that it keeps as bridges, by its own rules."""
    active = {text: block for text, block in context.before.blocks.items() if block["status"] == "active"}
    if ours:
        joining = [(key, edge) for key, edge in context.before.edges.items() if edge["relation_type"] != "contradicts"]
        degrees = {text: sum(effective(edge) for key, edge in joining if text in key) for text in active}
    else:
        degrees = {text: context.before.weights[block["id"]] for text, block in active.items()}
    kept = bridges(context, degrees)

    def is_faded(block):
        rate = block["decay_lambda"] if ours else tier(block)
        return recency(block, context.before.hours, rate) < 0.05 and not (ours and "self/constitutional" in block["tags"])

    faded = {text for text, block in active.items() if is_faded(block)}
    return faded - kept, faded & kept


def is_archived_otherwise(difference, context):
    """Ours archives by the rate that a block has, penalties included, and takes neither contradictions nor edges to archived
    blocks for bridges; theirs archives by the rate of the tier, and counts all edges."""
    (here, _), (there, _) = archived_by(context, True), archived_by(context, False)
    if difference.what == "contradiction":
        return difference.ours is None and bool(here & set(difference.key))
    if difference.what == "answer.archived":
        return (difference.ours, difference.theirs) == (len(here), len(there))
    if difference.what.startswith("edge."):
        gone = here - there if difference.what == "edge.missing" else there - here
        return bool(gone & set(difference.key))
    return ((difference.key in here) != (difference.key in there)
            and (difference.ours == "archived") == (difference.key in here))


def is_decayed(difference, context):
    """0.20 no longer archives what has faded."""
    here, _ = archived_by(context, True)
    if difference.what == "contradiction":
        return difference.ours is None and bool(here & set(difference.key))
    if difference.what == "answer.archived":
        return difference.ours == len(here)
    if difference.what == "edge.missing":
        return bool(here & set(difference.key))
    return difference.key in here and difference.theirs == "active"


def best(context, left, ours):
    """The texts that curate surely keeps fresh by the rules of a program, and those that it may."""
    names = {"self/constitutional"}
    active = {text: context.before.blocks[text] for text, block in left.blocks.items()
              if text in context.before.blocks and block["status"] == "active"}

    def used(block):
        return block["reinforcement_count"] + (0 if ours else bool(block["tags"] & names))

    def degree(text):
        if not ours:
            return left.weights[active[text]["id"]]
        return sum(effective(edge) for key, edge in left.edges.items()
                   if text in key and edge["relation_type"] != "contradicts")

    most = max((used(block) for block in active.values()), default=0)
    highest = max(map(degree, active), default=0.0)

    def score(text):
        block = active[text]
        rate = block["decay_lambda"] if ours else tier(block)
        fresh = 1.0 if not ours and block["tags"] & names else recency(block, context.before.hours, rate)
        reinforced = math.log(1 + used(block)) / math.log(1 + most) if most else 0.0
        central = degree(text) / highest if highest else 0.0
        total = (0.30 * block["confidence"] + 0.05 * fresh + 0.25 * central + 0.30 * reinforced) / 0.90
        if not ours and block.get("success_count") is not None:
            good, bad = block["success_count"], block["failure_count"]
            total += 0.05 * math.sqrt(good * bad / ((good + bad) ** 2 * (good + bad + 1)))
        return total

    scores = {text: score(text) for text in active if not (ours and active[text]["tags"] & names)}
    line = sorted(scores.values(), reverse=True)[4:6]
    last, next_best = line[0] if line else -math.inf, line[1] if len(line) > 1 else -math.inf
    return ({text for text, value in scores.items() if value > next_best + TIE},
            {text for text, value in scores.items() if value > last - TIE})


def is_kept_fresh(difference, context):
    """Ours keeps every constitutional block fresh once, and gives the other places to the best by its own measures."""
    before = context.before.blocks[difference.key]
    count = before["reinforcement_count"]
    if "self/constitutional" in before["tags"] and before["status"] == "inbox":
        # Theirs keeps those in the inbox fresh too.
        return difference.ours == context.ours_before.blocks[difference.key][difference.what.removeprefix("block.")]
    if "self/constitutional" in before["tags"] and difference.what == "block.reinforcement_count":
        return difference.theirs in (count + 1, count + 2) and difference.ours == count + 1
    kept = []
    for left, ours in ((context.ours, True), (context.theirs, False)):
        surely, maybe = best(context, left, ours)
        kept.append(left.blocks[difference.key]["reinforcement_count"] > count)
        if difference.key in surely and not kept[-1] or difference.key not in maybe and kept[-1]:
            return False
    return kept[0] != kept[1]


def faded_weight(edge, hours, rates):
    """What is left of the weight of an edge, with the rates of its ends."""
    slowest = min(rates) * 0.5 * (0.5 if edge["reinforcement_count"] >= 10 else 1.0)
    return edge["weight"] * math.exp(-slowest * max(0.0, hours - edge["last_active_hours"]))


def is_edge_faded(difference, context):
    """An edge fades at the rate that its blocks have, penalties included; in theirs at that of their tiers."""
    edge = context.before.edges.get(difference.key)
    if edge is None or edge["last_active_hours"] is None or edge["origin"] not in ("similarity", "co_retrieval"):
        return False
    rates = [context.before.blocks[end]["decay_lambda"] for end in difference.key]
    return faded_weight(edge, context.before.hours, rates) < 0.1001


def is_outcome_edge_kept(difference, context):
    """Theirs lets edges fade that an outcome made; ours only those of similarity and of use together."""
    edge = context.before.edges.get(difference.key)
    if edge is None or edge["last_active_hours"] is None or edge["origin"] != "outcome":
        return False
    rates = [tier(context.before.blocks[end]) for end in difference.key]
    return faded_weight(edge, context.before.hours, rates) < 0.1001
