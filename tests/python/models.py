"""Models that answer the same to every program: vectors from words, and an analysis from the text alone."""

import hashlib
import math
import re

DIMENSIONS = 64
NAME = "words-64"
# The most edges of a block, the same in both programs: ten in ours, as the seed has it.
DEGREE_CAP = 10


def number(text: str, below: int) -> int:
    """A number that follows from a text."""
    return int.from_bytes(hashlib.sha256(text.encode()).digest()[:8], "big") % below


def direction(word: str) -> list[float]:
    """The direction of a word, of length one. Different words are nearly at right angles."""
    bits = hashlib.sha512(word.encode()).digest()
    signs = [1.0 if bits[at // 8] >> (at % 8) & 1 else -1.0 for at in range(DIMENSIONS)]
    return [sign / math.sqrt(DIMENSIONS) for sign in signs]


def vector(text: str) -> list[float]:
    """The sum of the directions of the words, of length one."""
    words = re.findall(r"[a-z0-9]+", text.lower()) or ["nothing"]
    total = [sum(column) for column in zip(*(direction(word) for word in words))]
    length = math.sqrt(sum(value * value for value in total)) or 1.0
    return [value / length for value in total]


def alignment(text: str) -> float:
    """How much a text is about the agent, in steps of a hundredth."""
    return (10 + number("alignment " + text.strip().lower(), 80)) / 100


def contradiction(one: str, other: str) -> float:
    """Two texts contradict each other if one says `never` where the other says `always`."""
    said = [{"always", "never"} & set(re.findall(r"[a-z]+", text.lower())) for text in (one, other)]
    return 0.9 if all(len(word) == 1 for word in said) and said[0] != said[1] else 0.1
