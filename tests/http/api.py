"""Schemathesis drives `elfmem serve --http` by the document that the server hands out.

Usage: api.py PROGRAM SCHEMATHESIS
"""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import tempfile
import urllib.request
from pathlib import Path

PROGRAM = str(Path(sys.argv[1]).resolve())
SCHEMATHESIS = str(Path(sys.argv[2]).resolve())
SETTINGS = Path(__file__).with_name("schemathesis.toml")
TOKEN = "0123456789abcdef0123456789abcdef"
AUTHORIZATION = f"Authorization: Bearer {TOKEN}"
# Requests for each operation; about two minutes on two busy cores.
EXAMPLES = os.environ.get("ELFMEM_HTTP_EXAMPLES", "40")
# A run that takes longer than this hangs.
SECONDS = 600


def environment(folder: Path) -> dict[str, str]:
    """Nothing of the caller's settings, and a home of its own."""
    kept = {name: value for name, value in os.environ.items() if not name.startswith(("ELFMEM_", "XDG_"))}
    return kept | {"HOME": str(folder), "ELFMEM_DB": str(folder / "memory.db")}


def ask(url: str, verb: str, arguments: dict[str, object]) -> dict[str, object]:
    headers = {"Authorization": f"Bearer {TOKEN}", "Content-Type": "application/json"}
    request = urllib.request.Request(f"{url}/api/v1/{verb}", json.dumps(arguments).encode(), headers)
    with urllib.request.urlopen(request, timeout=60) as response:
        return json.load(response)


def seed(url: str) -> None:
    """Something to ask about: blocks of every status, an edge, a frame, a past."""
    facts = ("Maria is allergic to peanuts", "Deploys go out on Tuesdays", "Deploys go out on Fridays")
    ids = [ask(url, "learn", {"content": fact})["block_id"] for fact in facts]
    ask(url, "consolidate", {})
    ask(url, "connect", {"source": ids[0], "target": ids[1]})
    ask(url, "outcome", {"block_ids": [ids[0]], "signal": 0.9})
    ask(url, "forget", {"block": ids[2]})
    ask(url, "learn", {"content": "The cat sleeps in the sun"})


def run(url: str, folder: Path) -> int:
    command = [
        SCHEMATHESIS,
        f"--config-file={SETTINGS}",
        "run",
        f"{url}/openapi.json",
        "--header",
        AUTHORIZATION,
        "--checks=all",
        # After twenty wrong tokens a minute the server answers 429; the tests of the program check wrong tokens.
        "--exclude-checks=ignored_auth",
        "--workers=2",
        "--continue-on-failure",
        f"--max-examples={EXAMPLES}",
        "--seed=1",
        "--generation-database=none",
        "--request-timeout=60",
        "--no-color",
    ]
    surroundings = environment(folder) | {"SCHEMATHESIS_HOOKS": "hooks", "PYTHONPATH": str(Path(__file__).parent)}
    return subprocess.run(command, cwd=folder, env=surroundings, timeout=SECONDS, check=False).returncode


def main() -> int:
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        (folder / "token").touch(mode=0o600)
        (folder / "token").write_text(TOKEN)
        command = [PROGRAM, "serve", "--http", "127.0.0.1:0", "--token-file", "token"]
        server = subprocess.Popen(command, cwd=folder, env=environment(folder), stderr=subprocess.PIPE, text=True)
        assert server.stderr is not None
        try:
            url = server.stderr.readline().removeprefix("elfmem serves MCP at ").split("/mcp")[0]
            seed(url)
            failed = run(url, folder)
            assert server.poll() is None, "the server is gone"
            seed(url)
            server.send_signal(signal.SIGTERM)
            assert server.wait(timeout=30) == 0, "the server did not stop in order"
            assert server.stderr.read() == "", "the server complained"
        finally:
            server.kill()
            server.wait()
    return failed


if __name__ == "__main__":
    sys.exit(main())
