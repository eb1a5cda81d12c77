"""Differences of learn and recall."""

from state import CLOCK

from .context import close, tier, was


def is_waiting(difference, context):
    """An inbox block: theirs has placeholders until it is consolidated, ours the values of its tags and the present hour."""
    theirs, ours = context.theirs.blocks[difference.key], context.ours.blocks[difference.key]
    if theirs["status"] != "inbox" or ours["status"] != "inbox":
        return False
    if difference.what == "block.decay_lambda":
        return theirs["decay_lambda"] == 0.01 and close(ours["decay_lambda"], tier(ours), 1e-12)
    # Curate stamps constitutional blocks there even while they wait.
    is_placeholder = theirs["last_reinforced_at"] == 0.0 or "self/constitutional" in theirs["tags"]
    return is_placeholder and ours["last_reinforced_at"] <= context.ours.hours + CLOCK


def is_relearned(difference, context):
    """A text that is learned again: ours counts it as a use and adds the tags; theirs ignores it, or stores a copy."""
    if difference.key != context.text() or was(context, difference.key) is None:
        return False
    theirs, ours = context.theirs.blocks[difference.key], context.ours.blocks[difference.key]
    return {
        "block.copies": ours["copies"] == theirs["copies"] - 1,
        "block.tags": ours["tags"] >= frozenset(context.given["tags"]),
        "block.reinforcement_count": ours["reinforcement_count"] == context.before.blocks[difference.key]["reinforcement_count"] + 1,
        "block.last_reinforced_at": close(ours["last_reinforced_at"], context.ours.hours, CLOCK),
        "block.decay_lambda": close(ours["decay_lambda"], tier(ours), 1e-12),
    }.get(difference.what, False)


def is_brought_back(difference, context):
    """A text that is learned again after it was archived: ours brings the block back with what it was, theirs makes a copy."""
    return difference.key == context.text() and was(context, difference.key) == "archived"


def is_counted_as_use(difference, context):
    """Ours counts what recall showed as used, with the edges between it; theirs does so for frames only."""
    shown = {block["content"].strip().lower() for block in context.our_answer["result"]["blocks"]}
    if difference.what.startswith("edge."):
        return set(difference.key) <= shown and difference.ours > difference.theirs
    if difference.key not in shown:
        return False
    if difference.what == "block.reinforcement_count":
        return difference.ours == difference.theirs + 1
    return close(difference.ours, context.ours.hours, CLOCK)
