"""Differences of connect, disconnect and outcome."""

from models import DEGREE_CAP

from .context import close, may_be_displaced


def is_beyond_cap(difference, context):
    """Ours keeps within the degree cap at both ends; theirs only looks at one, or at none."""
    ends = difference.key
    if difference.what.startswith("answer."):
        ends = [text for text, block in context.before.blocks.items() if block["id"] in context.given.get("block_ids", [])]
    if difference.what == "edge.missing":
        return any(context.ours.degrees[end] >= DEGREE_CAP or context.theirs.degrees[end] > DEGREE_CAP for end in ends)
    return any(context.theirs.degrees[end] >= DEGREE_CAP for end in ends)


def is_displaced_at_both_ends(difference, context):
    """Where theirs left a block above the cap, ours displaces an edge there too, and says so."""
    told = context.our_answer.get("result", {}).get("also_displaced")
    texts = {block["id"]: text for text, block in context.ours_before.blocks.items()}
    return (bool(told) and may_be_displaced(context.before.edges.get(difference.key))
            and tuple(sorted(texts[told[end]] for end in ("from_id", "to_id"))) == difference.key)


def is_at_ceiling(difference, context):
    """Theirs counts blocks whose rate was at the ceiling already; ours counts those that it changed."""
    rates = [block["decay_lambda"] for block in context.before.blocks.values()
             if block["id"] in context.given["block_ids"] and block["decay_lambda"] > 0.001]
    return difference.theirs == len(rates) and difference.ours == sum(rate < 0.05 for rate in rates)


def is_relation_kept(difference, context):
    """Connecting with another relation: ours strengthens the edge, keeps its relation and says so; theirs refuses."""
    edge = context.before.edges.get(context.ends())
    relation = context.given["relation"]
    if context.given["if_exists"] != "reinforce" or not edge or relation in (None, edge["relation_type"]):
        return False
    if difference.what == "answer.error":
        return context.our_answer["result"]["relation_conflict"] == relation
    if difference.key != context.ends():
        return False
    if difference.what == "edge.weight":
        return close(difference.ours, min(edge["weight"] + 0.1, 1.0))
    return difference.ours == edge["reinforcement_count"] + 1


def is_reinforcement_counted(difference, context):
    """Strengthening an edge counts: ours adds one, theirs changes the weight only."""
    return (context.given["if_exists"] == "reinforce" and difference.key == context.ends()
            and difference.ours == difference.theirs + 1)


def is_asserted_by_update(difference, context):
    """Giving an edge a relation makes it an assertion of the agent, which decay and displacement spare."""
    return (context.given["if_exists"] == "update" and context.given["relation"] is not None
            and difference.key == context.ends() and difference.ours == "agent")


def is_displaced_for_archived(difference, context):
    """Theirs counts edges to archived blocks, which it should have removed, and displaces a live edge for them."""
    pair = context.ends()
    crowded = [end for end in pair if context.before.degrees[end] > sum(end in key for key in context.before.edges)]
    return bool(set(difference.key) & set(crowded))


def is_prior_of_two(difference, context):
    """Belief before any evidence weighs two outcomes here, as in 0.15; one in 0.20."""
    before = context.before.blocks[difference.key]
    if before["id"] not in context.given["block_ids"]:
        return False
    believed, evidence = before["confidence"], before["outcome_evidence"]
    signal, weight = context.given["signal"], context.given["weight"]

    def after(prior):
        return (believed * (prior + evidence) + signal * weight) / (prior + evidence + weight)

    return close(difference.theirs, after(1)) and close(difference.ours, after(2))


def is_constitution_taught(difference, context):
    """0.20 leaves constitutional blocks out of outcomes unless told otherwise; here an outcome counts for every block."""
    skipped = {text for text, block in context.before.blocks.items()
               if block["id"] in context.given["block_ids"] and "self/constitutional" in block["tags"]}
    if difference.what.startswith("block."):
        return difference.key in skipped
    return bool(skipped) and (difference.what.startswith("answer.") or bool(set(difference.key) & skipped))
