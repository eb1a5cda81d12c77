"""Attacks on a running server and on the files it makes: half-sent requests, floods of sessions, guessed tokens, foreign
hosts, lines that are no messages, files that others can read, and a machine without room.

    server.py PROGRAM [--quick]

Each attack says what it tried and what happened; the script ends with code 1 when one of them succeeded.
"""

import json
import os
import resource
import socket
import sqlite3
import stat
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

PROGRAM = sys.argv[1]
HALF_SENT = 600
SESSIONS = 500 if "--quick" in sys.argv else 5_000
TOKEN = "0123456789abcdef0123456789abcdef"

played: list[bool] = []


def report(what: str, broke: bool, held: str) -> None:
    played.append(broke)
    print(f"{'BROKEN' if broke else 'held  '}  {what}\n        {'the attack succeeded' if broke else held}", flush=True)


class Answer:
    """What a server sent until it closed the connection."""

    def __init__(self, received: bytes) -> None:
        head, _, self.body = received.partition(b"\r\n\r\n")
        lines = head.decode("latin-1").split("\r\n")
        self.status = int(lines[0].split(" ")[1]) if " " in lines[0] else 0
        self.headers = {name.lower(): value.strip() for name, _, value in (line.partition(":") for line in lines[1:])}


class Server:
    """A server of the program over HTTP."""

    def __init__(self, process: subprocess.Popen[str], address: str) -> None:
        self.process, self.address = process, address
        host, _, port = address.partition(":")
        self.place = (host, int(port))

    def connect(self) -> socket.socket:
        return socket.create_connection(self.place, timeout=20)

    def raw(self, request: str) -> Answer:
        try:
            with self.connect() as stream:
                stream.sendall(request.encode())
                parts = []
                while part := stream.recv(65536):
                    parts.append(part)
                return Answer(b"".join(parts))
        except OSError:
            return Answer(b"")

    def ask(self, method: str, path: str, body: str = "", **headers: str) -> Answer:
        lines = {"Host": self.address, "Connection": "close", "Content-Length": str(len(body.encode()))}
        lines |= {name.replace("_", "-"): value for name, value in headers.items()}
        head = "".join(f"{name}: {value}\r\n" for name, value in lines.items())
        return self.raw(f"{method} {path} HTTP/1.1\r\n{head}\r\n{body}")

    def memory_kib(self) -> int:
        status = Path(f"/proc/{self.process.pid}/status").read_text()
        return int(next(line for line in status.splitlines() if line.startswith("VmRSS")).split()[1])


def environment(folder: Path) -> dict[str, str]:
    kept = {name: value for name, value in os.environ.items() if not name.startswith(("ELFMEM_", "XDG_"))}
    return kept | {"HOME": str(folder), "ELFMEM_DB": str(folder / "memory.db")}


@contextmanager
def serving(folder: Path, *arguments: str) -> Iterator[Server]:
    command = [PROGRAM, "serve", "--http", "127.0.0.1:0", *arguments]
    process = subprocess.Popen(command, cwd=folder, env=environment(folder), stderr=subprocess.PIPE, text=True)
    try:
        line = process.stderr.readline()
        yield Server(process, line.split("http://")[1].split("/")[0])
    finally:
        process.terminate()
        process.wait(timeout=30)


def half_sent_requests(folder: Path) -> None:
    with serving(folder) as server:
        server.ask("POST", "/api/v1/learn", json.dumps({"content": "The harbour opens at nine"}))
        held = []
        for number in range(HALF_SENT):
            stream = server.connect()
            whole = f"POST /api/v1/learn HTTP/1.1\r\nHost: {server.address}\r\nContent-Length: 1000\r\n\r\n{{"
            stream.sendall((whole if number % 2 else "POST /api/v1/learn HTTP/1.1\r\nHost: loc").encode())
            held.append(stream)
        started = time.monotonic()
        answers = [server.ask("GET", "/api/v1/recall?query=harbour").status for _ in range(5)]
        healthy = server.ask("GET", "/healthz").status
        took = time.monotonic() - started
        for stream in held:
            stream.close()
    broke = answers != [200] * 5 or healthy != 200 or took > 10
    report(f"locks everybody out with {HALF_SENT} half-sent requests", broke, f"six requests answered in {took:.1f} s")


def floods_of_sessions(folder: Path) -> None:
    begin = json.dumps({"jsonrpc": "2.0", "id": 1, "method": "initialize", "params": {
        "protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": {"name": "flood", "version": "1"}}})
    speaks = {"Content_Type": "application/json", "Accept": "application/json, text/event-stream"}
    with serving(folder) as server:
        own = server.ask("POST", "/mcp", begin, **speaks).headers["mcp-session-id"]
        call = json.dumps({"jsonrpc": "2.0", "id": 2, "method": "tools/call",
                           "params": {"name": "elfmem_status", "arguments": {}}})
        server.ask("POST", "/mcp", call, **speaks, Mcp_Session_Id=own)
        before = server.memory_kib()
        begun = sum(server.ask("POST", "/mcp", begin, **speaks).status == 200 for _ in range(SESSIONS))
        grown = (server.memory_kib() - before) / 1024
        goes_on = server.ask("POST", "/mcp", call, **speaks, Mcp_Session_Id=own)
    broke = grown > 64 or goes_on.status != 200 or b"inbox_count" not in goes_on.body
    report(f"fills the memory with {SESSIONS:,} MCP sessions", broke,
           f"{begun:,} were begun, {grown:.0f} MB more in use, and the session of another client goes on")


def foreign_requests(folder: Path) -> None:
    with serving(folder) as server:
        port = server.place[1]
        requests = [
            "GET /api/v1/status HTTP/1.1\r\nHost: localhost\r\nHost: evil.example\r\n",
            "GET /api/v1/status HTTP/1.1\r\nHost: evil.example\r\n",
            f"GET /api/v1/status HTTP/1.1\r\nHost: localhost:{port}.evil\r\n",
            "GET /api/v1/status HTTP/1.1\r\nHost: localhost@evil.example\r\n",
            "GET http://evil.example/api/v1/status HTTP/1.1\r\nHost: localhost\r\n",
            f"GET /api/v1/status HTTP/1.1\r\nHost: localhost\r\nOrigin: http://localhost:{port}.evil\r\n",
            "GET /api/v1/status HTTP/1.1\r\nHost: localhost\r\nOrigin: http://localhost\r\nOrigin: http://evil.example\r\n",
            "GET /api/v1/status HTTP/1.1\r\nHost: localhost\r\nSec-Fetch-Site: cross-site\r\n",
        ]
        answers = [server.raw(f"{request}Connection: close\r\n\r\n").status for request in requests]
    report("asks as a foreign page or for a foreign host", any(status not in (400, 403) for status in answers),
           f"{len(requests)} ways, all refused")


def guessed_tokens(folder: Path) -> None:
    tokens = folder / "tokens"
    tokens.touch(mode=0o600)
    tokens.write_text(TOKEN)
    with serving(folder, "--token-file", "tokens") as server:
        guesses = [server.ask("GET", "/api/v1", Authorization=f"Bearer guess-{number:020}").status for number in range(100)]
    allowed = guesses.count(401)
    report("guesses tokens", allowed > 25 or 200 in guesses, f"{allowed} of 100 guesses were looked at, the others must wait")
    tokens.chmod(0o644)
    command = [PROGRAM, "serve", "--http", "127.0.0.1:0", "--token-file", "tokens"]
    started = subprocess.Popen(command, cwd=folder, env=environment(folder), stderr=subprocess.PIPE, text=True)
    try:
        refusal = started.communicate(timeout=5)[1]
    except subprocess.TimeoutExpired:
        started.kill()
        refusal = ""
    report("reads tokens that anybody can read", "chmod 600" not in refusal, "the server does not start with such a file")


def lines_that_are_no_messages(folder: Path) -> None:
    begin = {"jsonrpc": "2.0", "id": 1, "method": "initialize", "params": {
        "protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": {"name": "x", "version": "1"}}}
    lines = [
        (2, b'{"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"\xff\xfe"}}'),
        (3, rb'{"jsonrpc":"2.0","id":3,"method":"tools/call","params":{"name":"elfmem_learn","arguments":{"content":"\ud800"}}}'),
        (4, b'{"jsonrpc":"2.0","id":4,"method":"tools/call","params":' + b"[" * 100_000),
        (5, b'{"jsonrpc":"2.0","id":5,"method":"tools/call","params":{"name":"elfmem_learn","arguments":{"content":"'
         + b"x" * 5_000_000 + b'"}}}'),
        (6, b'{"jsonrpc":"2.0","id":6,"method":"tools/call","params":{"name":"elfmem_recall","arguments":'
         + b'{"a":' * 5_000 + b"1" + b"}" * 5_000 + b"}}"),
        (None, b"no message at all"),
        (7, b'{"jsonrpc":"2.0","id":7,"method":"ping"}'),
    ]
    opening = json.dumps(begin).encode() + b'\n{"jsonrpc":"2.0","method":"notifications/initialized"}\n'
    sent = opening + b"\n".join(line for _, line in lines) + b"\n"
    done = subprocess.run([PROGRAM, "serve"], input=sent, cwd=folder, env=environment(folder), capture_output=True, timeout=60)
    answered = [json.loads(line).get("id") for line in done.stdout.splitlines()]
    missing = [number for number, _ in lines if number not in answered]
    report("silences the server with lines that are no messages", bool(missing), "each is answered with an error and its id")


def files_for_others(folder: Path) -> None:
    run = lambda *arguments: subprocess.run([PROGRAM, *arguments], cwd=folder, env=environment(folder), capture_output=True)
    os.umask(0o022)
    run("remember", "The harbour opens at nine")
    run("backup", "copy.db")
    run("export", "out.jsonl")
    run("export", "--format", "markdown", "pages")
    with serving(folder) as server:
        server.ask("POST", "/api/v1/learn", json.dumps({"content": "The pier closes at six"}))
        found = [path for path in folder.rglob("*") if path.is_file() and path.name not in ("tokens", "shelves.txt")]
        open_files = [path.name for path in found if stat.S_IMODE(path.stat().st_mode) & 0o077]
    report("reads the files of somebody else", bool(open_files), f"{len(found)} files, all for their owner alone")


def a_machine_without_room(folder: Path) -> None:
    text = " ".join(f"Shelf {number} holds jars of kind {number * 7}." for number in range(3000))
    (folder / "shelves.txt").write_text(text)
    subprocess.run([PROGRAM, "learn-document", "shelves.txt"], cwd=folder, env=environment(folder), capture_output=True)
    before = sorted(path.name for path in folder.iterdir())
    limit = lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (100_000, 100_000))
    told = [
        subprocess.run([PROGRAM, *words], cwd=folder, env=environment(folder), capture_output=True, text=True, preexec_fn=limit)
        for words in (["backup", "small.db"], ["export", "small.jsonl"])
    ]
    left = sorted(path.name for path in folder.iterdir() if not path.name.endswith(("-wal", "-shm")))
    clear = all(answer.returncode == 1 and "Recovery:" in answer.stderr for answer in told)
    report("ends a backup in the middle by a limit on file sizes", not clear or left != before,
           "an error that says so, and nothing is left behind")


def a_newer_program(folder: Path) -> None:
    with serving(folder) as server:
        server.ask("POST", "/api/v1/learn", json.dumps({"content": "The lamp is blue"}))
        other = sqlite3.connect(folder / "memory.db")
        version = other.execute("PRAGMA user_version").fetchone()[0]
        count = lambda: other.execute("SELECT count(*) FROM blocks").fetchone()[0]
        before = count()
        other.execute(f"PRAGMA user_version = {version + 1}")
        other.commit()
        refused = server.ask("POST", "/api/v1/learn", json.dumps({"content": "written by an old program"})).status
        after = count()
        other.execute(f"PRAGMA user_version = {version}")
        other.commit()
        other.close()
    report("lets an old server write into the memory of a newer program", refused != 503 or after != before, "refused")


def main() -> int:
    resource.setrlimit(resource.RLIMIT_NOFILE, (4_096, resource.getrlimit(resource.RLIMIT_NOFILE)[1]))
    attacks = (half_sent_requests, floods_of_sessions, foreign_requests, guessed_tokens, lines_that_are_no_messages,
               files_for_others, a_machine_without_room, a_newer_program)
    for attack in attacks:
        with tempfile.TemporaryDirectory() as name:
            attack(Path(name))
    print(f"\n{len(played)} attacks, {sum(played)} succeeded")
    return 1 if any(played) else 0


if __name__ == "__main__":
    sys.exit(main())
