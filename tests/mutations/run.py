"""Puts small faults into the code and expects the tests that are named for them to fail.

Arguments: words, to try only faults whose row contains one of them; `--one-by-one`, to build each fault alone. A file that
has changes of yours is not touched.
"""

import pathlib
import re
import subprocess
import sys
import tomllib

ROOT = pathlib.Path(__file__).parents[2]
FEATURES = "elfmem-models/scripted,elfmem-store/conformance,elfmem-store-sqlite/faults"
FAILED, NOT_BUILT = 100, 101


def edits(mutation):
    return [mutation, *mutation.get("also", [])]


def put_in(group):
    """Writes the faults of a group; the files as they were."""
    kept = {}
    for mutation in group:
        for edit in edits(mutation):
            path = ROOT / edit["file"]
            text = path.read_text()
            kept.setdefault(path, text)
            if text.count(edit["find"]) != 1:
                take_out(kept)
                sys.exit(f"{edit['file']} has {text.count(edit['find'])} places for the fault of {mutation['row']!r}")
            path.write_text(text.replace(edit["find"], edit["replace"]))
    return kept


def take_out(kept):
    for path, text in kept.items():
        path.write_text(text)


def filter_of(test):
    package, name = test.split("::", 1)
    return f"(package({package}) & test(/(^|::){re.escape(name)}$/))"


def run(group):
    """The rows whose tests did not notice the fault."""
    tests = [test for mutation in group for test in mutation["tests"]]
    kept = put_in(group)
    try:
        done = subprocess.run(
            ["cargo", "nextest", "run", "--workspace", "--features", FEATURES, "--no-fail-fast", "--color", "never",
             "-E", " | ".join(map(filter_of, tests))], cwd=ROOT, capture_output=True, text=True)
    finally:
        take_out(kept)
    told = done.stdout + done.stderr
    if any(mutation.get("does_not_compile") for mutation in group):
        noticed = done.returncode == NOT_BUILT and "error[E" in told
        return [] if noticed else [(mutation["row"], "it compiles") for mutation in group]
    if done.returncode not in (0, FAILED):
        sys.exit(f"the faults do not compile:\n{told[-4000:]}")
    unnoticed = []
    for mutation in group:
        for test in mutation["tests"]:
            name = re.escape(test.split("::", 1)[1])
            ran = re.findall(rf"^\s+(PASS|FAIL|SIGABRT|TIMEOUT) .*[ :]{name}$", told, re.M)
            if not ran:
                unnoticed.append((mutation["row"], f"{test} did not run"))
            elif "PASS" in ran:
                unnoticed.append((mutation["row"], f"{test} passes"))
    return unnoticed


def main(words):
    alone = "--one-by-one" in words
    words = [word for word in words if not word.startswith("--")]
    listed = tomllib.loads((pathlib.Path(__file__).parent / "mutations.toml").read_text())["mutation"]
    chosen = [mutation for mutation in listed if not words or any(word in mutation["row"] for word in words)]
    files = {edit["file"] for mutation in chosen for edit in edits(mutation)}
    changed = subprocess.run(["git", "status", "--porcelain", "--", *files], cwd=ROOT, capture_output=True, text=True).stdout
    if changed or not chosen:
        sys.exit(f"commit these files first:\n{changed}" if changed else "no fault has these words")
    groups = {}
    for number, mutation in enumerate(chosen):
        groups.setdefault(number if alone else mutation["group"], []).append(mutation)
    unnoticed = []
    for group in groups.values():
        found = run(group)
        unnoticed += found
        for mutation in group:
            why = [reason for row, reason in found if row == mutation["row"]]
            print(f"{'MISSED ' if why else 'noticed'}  {mutation['row']}{': ' if why else ''}{', '.join(why)}", flush=True)
    print(f"{len(chosen)} faults: {len(chosen) - len({row for row, _ in unnoticed})} noticed")
    sys.exit(1 if unnoticed else 0)


main(sys.argv[1:])
