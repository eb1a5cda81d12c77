"""Differences of dream."""

import math

import models
from state import CLOCK

from .context import close, tier, was, words


def is_promoted(context, text):
    return was(context, text) == "inbox" and context.theirs.blocks[text]["status"] == "active"


def repetitions(context, text):
    """Inbox texts from before a dream that say the same as a text, its own second copies included."""
    own = context.before.blocks.get(text)
    found = [block for other, block in context.before.blocks.items()
             if block["status"] == "inbox" and other != text and words(other) == words(text)]
    return found + ([own] if own and own["copies"] > 1 else [])


def is_alignment_not_belief(difference, context):
    """Theirs sets confidence to the alignment at promotion, ours keeps what was believed."""
    text = difference.key
    theirs, before = context.theirs.blocks[text], context.before.blocks.get(text)
    return (is_promoted(context, text) and close(theirs["confidence"], theirs["self_alignment"])
            and close(difference.ours, before["confidence"]))


def is_opposed(difference, context):
    """Ours draws no edge of similarity between blocks that contradict each other."""
    return difference.key in context.ours.contradictions


def is_repeated_in_inbox(difference, context):
    """A dream that rejects a repetition counts it as a use of the original, which also gets its tags."""
    repeated = repetitions(context, difference.key)
    theirs, ours = context.theirs.blocks[difference.key], context.ours.blocks[difference.key]
    if not repeated:
        return False
    if difference.what == "block.tags":
        return theirs["tags"] <= ours["tags"]
    if difference.what == "block.reinforcement_count":
        return ours["reinforcement_count"] > theirs["reinforcement_count"]
    if difference.what == "block.last_reinforced_at":
        return close(ours["last_reinforced_at"], context.ours.hours, CLOCK)
    if difference.what == "block.decay_lambda":
        return close(ours["decay_lambda"], tier(ours), 1e-12) and ours["tags"] != theirs["tags"]
    return difference.what == "block.copies"


def is_tag_of_repetition(difference, context):
    """The weight of an edge follows the tags of its ends, and ours gave one the tags of its repetition."""
    if difference.theirs is None or difference.ours is None:
        return False
    return any(context.theirs.blocks[end]["tags"] != context.ours.blocks[end]["tags"] and repetitions(context, end)
               for end in difference.key)


def is_same_batch(difference, context):
    """Theirs takes blocks of the same dream for as old as the memory, ours for as old as each other."""
    if not all(is_promoted(context, end) for end in difference.key):
        return False
    lost = 0.10 * (1 - math.exp(-(context.before.hours**2) / 128))
    if difference.what == "edge.extra":
        return context.ours.edges[difference.key]["weight"] - lost < 0.4501
    return close(difference.ours - difference.theirs, lost, 0.002)


def is_compared(key, context):
    """Whether ours asked the model about a pair."""
    return tuple(sorted(text.rstrip(".") + "." for text in key)) in context.compared


def is_found_here_only(difference, context):
    """0.20 no longer looks for contradictions."""
    return difference.theirs is None and any(is_promoted(context, end) for end in difference.key)


def is_found_by_rules(difference, context):
    """Ours finds contradictions of numbers, names and negations by its rules, without asking."""
    return is_found_here_only(difference, context) and not is_compared(difference.key, context)


def is_not_asked(difference, context):
    """Ours does not ask about pairs on which its rules are sure, nor about more than the five nearest texts."""
    return difference.ours is None and not is_compared(difference.key, context)


def cosine(one, other):
    return sum(a * b for a, b in zip(models.vector(one), models.vector(other)))


def is_superseded_unasked(difference, context):
    """0.15 lets a text take the place of one that is nearly the same, without asking whether they contradict each other."""
    keys = difference.key if isinstance(difference.key, tuple) else (difference.key,)
    new = [text for text, block in context.before.blocks.items() if block["status"] == "inbox"]

    def is_superseded(text):
        return (context.theirs.blocks[text]["status"] == "archived" != context.ours.blocks[text]["status"]
                and any(0.8999 <= cosine(text, other) < 0.9501 for other in new if other != text))

    return any(is_superseded(text) for text in keys)
