"""Random texts whose similarity is known: notes of a few topics, repetitions, near-repetitions and opposites."""

TOPICS = [
    "deploy release train pipeline staging server rollback".split(),
    "garden tomato basil watering greenhouse compost soil".split(),
    "guitar chord melody rehearsal amplifier concert drummer".split(),
    "invoice payment ledger budget auditor receipt tax".split(),
]
TAGS = [[], [], [], ["topic/a"], ["topic/a", "topic/b"], ["self/value"], ["self/goal"], ["self/constitutional"]]
CATEGORIES = ["knowledge", "knowledge", "knowledge", "observation", "decision"]


class Texts:
    def __init__(self):
        self.count = 0

    def draw(self, draw, known):
        """A text with its labels."""
        kind = draw.random()
        labels = draw.choice(TAGS), draw.choice(CATEGORIES)
        if known and kind < 0.12:
            return draw.choice(known), *labels
        if known and kind < 0.18:
            return draw.choice(known).rstrip(".") + "..", *labels
        if known and kind < 0.28:
            old = draw.choice(known)
            if " always " in old:
                return old.replace(" always ", " never "), *labels
        self.count += 1
        words = draw.sample(draw.choice(TOPICS), draw.choice([3, 4, 5]))
        mood = [draw.choice(["always"])] if draw.random() < 0.3 else []
        return f"note {self.count} {' '.join(mood + words)}.", *labels
