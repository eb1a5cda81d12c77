"""Checks the promises of the seeds from the outside: the built binary on the command line, over MCP and over HTTP.

Arguments: the binary, and optionally words; only promises that contain one of them are checked. Each is printed with whether
it holds; one that does not is a failure.
"""

import pathlib
import sys
import time
import traceback

import harness

harness.PROGRAM = str(pathlib.Path(sys.argv[1]).resolve())
for module in ("seed_000", "seed_001", "seed_002", "seed_003", "seed_004", "python_memories", "surfaces", "every_surface"):
    __import__(module)


def main(words):
    failed = 0
    chosen = [(text, check) for text, check in harness.PROMISES if not words or any(word in text for word in words)]
    for text, check in chosen:
        begun = time.monotonic()
        try:
            check()
            print(f"holds  {text} ({time.monotonic() - begun:.1f} s)")
        except Exception:
            failed += 1
            print(f"FAILS  {text}\n{traceback.format_exc(limit=-3)}")
    print(f"{len(chosen)} promises: {len(chosen) - failed} hold, {failed} fail")
    sys.exit(1 if failed or not chosen else 0)


main(sys.argv[2:])
