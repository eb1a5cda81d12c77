"""Drives random sequences of operations through the Python elfmem and through ours, and compares what they leave.

Both programs use the models of `server.py`. Both run the same operations on the same memory: ours on a copy that it took
over. After every operation the rows and the answers are compared. A difference that `differences.toml` knows is counted, and
our copy is made again from the Python memory, unless the difference ends by itself; any other one is a failure. A seed gives
the same sequence each time.
"""

import argparse
import json
import pathlib
import random
import re
import sys
import tempfile
import time
import tomllib
from collections import Counter

import rules
import server
import state
from operations import next_operation, with_our_ids
from programs import Ours, Theirs
from texts import Texts

HERE = pathlib.Path(__file__).parent


def arguments():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("program", type=pathlib.Path, help="our binary")
    parser.add_argument("version", help="the version of the Python elfmem")
    parser.add_argument("python", type=pathlib.Path, help="its interpreter")
    parser.add_argument("--seeds", type=int, nargs="*", default=[1, 2], help="sequences that are always driven")
    parser.add_argument("--seconds", type=float, default=0, help="then drive at least one sequence with a fresh seed, and begin others until so long has passed")
    parser.add_argument("--operations", type=int, default=90, help="the length of a sequence")
    parser.add_argument("--go-on", action="store_true", help="do not stop at the first failure")
    return parser.parse_args()


def judge(known, differences, context):
    """Assigns each difference to the first known one that explains it; those, and the others."""
    explained, unknown = [], []
    for difference in differences:
        for entry in known:
            applies = "*" in entry["operations"] or context.name in entry["operations"]
            if applies and difference.what in entry["what"] and getattr(rules, entry["rule"])(difference, context):
                explained.append(entry)
                break
        else:
            unknown.append(difference)
    return explained, unknown


def check_reasons(known):
    """Every known difference names a seed or a decision that is there."""
    decisions = HERE.parents[1] / "docs/decisions"
    for entry in known:
        named = re.findall(r"decision (\d{4})", entry["because"])
        seeds = re.findall(r"seed 00[0-4]\b", entry["because"])
        missing = [number for number in named if not list(decisions.glob(f"{number}-*.md"))]
        if missing or not (named or seeds):
            sys.exit(f"'{entry['name']}' names no seed or decision that is there: {entry['because']}")


class Tally:
    """What was driven and found so far."""

    def __init__(self):
        self.explained, self.performed = Counter(), Counter()
        self.copies = self.failed = 0


def drive(given, known, seed, tally):
    """One sequence."""
    draw, texts = random.Random(seed), Texts()
    with tempfile.TemporaryDirectory() as folder:
        folder = pathlib.Path(folder)
        address, compared = server.start()
        theirs, ours = Theirs(given.python, folder, address), Ours(given.program.resolve(), folder, address)
        ours.copy(theirs.path)
        before, found = state.read(theirs.path), state.read(ours.path)
        for number in range(1, given.operations + 1):
            operation = next_operation(draw, texts, before)
            compared.clear()
            answers = theirs.perform(operation), ours.perform(with_our_ids(operation, before, found))
            tally.performed[operation["operation"]] += 1
            after, left = state.read(theirs.path), state.read(ours.path)
            context = rules.Context(operation, before, after, left, *answers, found, frozenset(compared))
            explained, unknown = judge(known, state.compare(after, left) + rules.compare_answers(context), context)
            tally.explained.update(entry["name"] for entry in explained)
            if unknown:
                print(f"FAILED: {given.version}, seed {seed}, operation {number}: {operation}")
                print("  they answered", json.dumps(answers[0])[:300])
                print("  we answered  ", json.dumps(answers[1])[:300])
                for difference in unknown[:12]:
                    print("  ", difference)
                tally.failed += 1
                if not given.go_on:
                    break
            if unknown or any(not entry.get("ends_by_itself") for entry in explained):
                ours.copy(theirs.path)
                left = state.read(ours.path)
                tally.copies += 1
            before, found = after, left
        theirs.process.kill()


def main():
    given = arguments()
    known = [entry for entry in tomllib.loads((HERE / "differences.toml").read_text())["difference"]
             if given.version in entry["versions"]]
    check_reasons(known)
    tally, deadline = Tally(), time.monotonic() + given.seconds
    seeds = list(given.seeds)
    for seed in seeds:
        drive(given, known, seed, tally)
    fresh = random.SystemRandom()
    while given.seconds and not tally.failed and (len(seeds) == len(given.seeds) or time.monotonic() < deadline):
        seeds.append(fresh.randrange(1000, 1_000_000))
        drive(given, known, seeds[-1], tally)
    print(f"elfmem {given.version}, seeds {' '.join(map(str, seeds))}: {tally.performed.total()} operations "
          f"({', '.join(f'{count} {name}' for name, count in sorted(tally.performed.items()))}), "
          f"compared again from the start {tally.copies} times")
    for name, count in tally.explained.most_common():
        print(f"  {count:5} {name}")
    sys.exit(1 if tally.failed else 0)


main()
