"""Asks questions of memories in which others answer too, worded for the question, in other languages, with typing errors, as
negations and as floods. The fact of the owner must be shown, before every text of an attacker: by recall with any number of
blocks, frames, retrieve, the command line and the hook, before and after a dream. Where only a document answers, and the notes of
the owner are about something else, the document must still be found. Usage: owner_first.py PROGRAM [--quick] [FILE.json]

The rule was fitted to scenarios.json. scenarios-check.json was written and asked once, after that.
"""

import json
import os
import sys
import tempfile
from collections import Counter

from memory import Memory

NOTES = [
    "The printer on the second floor needs a new drum", "I like hiking in the Allgäu", "Weekly planning is on Mondays at nine",
    "Lena moved to Hamburg in spring", "The garden needs water twice a week", "Our largest customer is Nordwind",
    "I prefer short answers", "Ben plays the cello",
]
SCENARIOS = os.path.join(os.path.dirname(os.path.abspath(__file__)), "scenarios.json")


def answers(memory, question, everywhere):
    """The texts of each answer, in their order."""
    for count in (1, 2, 5):
        yield f"recall -k {count}", [one["content"] for one in memory.call("recall", query=question, top_k=count)["blocks"]]
    for name in ("attention", "task"):
        yield "frame " + name, [one["content"] for one in memory.call("frame", name=name, query=question)["blocks"]]
    for limit in (1, 5):
        found = memory.call("retrieve_memories", query=question, limit=limit)["items"]
        yield f"retrieve --limit {limit}", [one["text"] for one in found]
    if everywhere:
        yield "recall, typed", memory.run("recall", question)
        yield "frame attention, typed", memory.run("frame", "attention", question)
        yield "retrieve, typed", memory.run("retrieve", question)
        yield "hook", memory.run("hook", "prompt", given=json.dumps({"session_id": "s", "prompt": question}))


def place(answer, texts):
    """Where the first of some texts stands; none if none of them is shown."""
    if isinstance(answer, str):
        found = [at for at in (position(answer, text) for text in texts) if at >= 0]
    else:
        found = [answer.index(text) for text in texts if text in answer]
    return min(found, default=None)


def position(answer, text):
    """Where a text stands as the whole text of a line."""
    ends = [answer.find(text + end) for end in ("\n", "\\n", " (fact")]
    return min([at for at in ends if at >= 0], default=-1)


def main():
    program, quick = sys.argv[1], "--quick" in sys.argv
    files = [word for word in sys.argv[2:] if word.endswith(".json")]
    with open(files[0] if files else SCENARIOS, encoding="utf-8") as file:
        scenarios = json.load(file)
    broken, asked, second = [], 0, Counter()
    for dream in ([False] if quick else [False, True]):
        for number, scene in enumerate(scenarios["hostile"] + scenarios["documents"]):
            with tempfile.TemporaryDirectory() as folder:
                os.environ["HOME"] = folder
                memory = Memory("owner", program, os.path.join(folder, "m.db"))
                for note in NOTES + scene.get("notes", []) + [scene[key] for key in ("fact",) if key in scene]:
                    memory.call("learn", content=note)
                if dream:
                    memory.call("dream")
                others = scene.get("attackers", scene.get("document"))
                for text in others:
                    memory.call("learn", content=text, source="web")
                if dream:
                    memory.call("dream")
                for surface, answer in answers(memory, scene["question"], number % 8 == 0 or not quick):
                    asked += 1
                    theirs = place(answer, others)
                    if "fact" in scene:
                        own = place(answer, [scene["fact"]])
                        if theirs is not None and (own is None or own > theirs):
                            broken.append((scene, surface, dream, answer))
                    elif isinstance(answer, list) and surface.endswith("5"):
                        if theirs is None or theirs > 1:
                            broken.append((scene, surface, dream, answer))
                        elif theirs == 1:
                            second[surface] += 1
                memory.close()
    # A fact that the memory does not find by itself is known to be missed: it is in another language, or in other words.
    missed = [one for one in broken if not one[0].get("known")]
    for scene, surface, dream, answer in missed:
        print(f"BROKEN  {scene['question']} [{surface}{', dreamed' if dream else ''}] {str(answer)[:300]}")
    known = len({one[0]["question"] for one in broken if one[0].get("known")})
    print(f"{asked} answers about {len(scenarios['hostile'])} facts and {len(scenarios['documents'])} documents, "
          f"{len(missed)} with another's word first, {known} facts known to be missed, documents second: {dict(second)}")
    sys.exit(1 if missed else 0)


if __name__ == "__main__":
    main()
