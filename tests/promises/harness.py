"""What the checks of promises use: a memory of its own for each, the command line, a client of MCP and one of HTTP."""

import json
import os
import pathlib
import shutil
import socket
import sqlite3
import subprocess
import tempfile
import time
import urllib.error
import urllib.request

PROMISES = []
PROGRAM = None


def promise(text):
    """Registers a check under what it promises. It fails by an assertion or any other error."""
    def register(check):
        PROMISES.append((text, check))
        return check
    return register


class Memory:
    """An empty folder with a memory in it, used through the binary."""

    def __init__(self, **environment):
        self.folder = pathlib.Path(tempfile.mkdtemp(prefix="elfmem-promises-"))
        self.path = self.folder / "memory.db"
        self.environment = {"HOME": str(self.folder), "PATH": "/usr/bin:/bin", "ELFMEM_EMBEDDER": "static", **environment}
        self.servers = []

    def __enter__(self):
        return self

    def __exit__(self, *_):
        for server in self.servers:
            server.stop()
        shutil.rmtree(self.folder, ignore_errors=True)

    def run(self, *arguments, stdin=None):
        return subprocess.run([PROGRAM, "--db", str(self.path), *map(str, arguments)], capture_output=True, text=True,
                              input=stdin, env=self.environment, cwd=self.folder)

    def text(self, *arguments, stdin=None):
        done = self.run(*arguments, stdin=stdin)
        assert done.returncode == 0, f"{arguments}: {done.stdout}{done.stderr}"
        return done.stdout

    def json(self, *arguments, stdin=None):
        return json.loads(self.text("--json", *arguments, stdin=stdin))

    def refused(self, *arguments):
        done = self.run("--json", *arguments)
        assert done.returncode != 0, f"{arguments} was not refused: {done.stdout}"
        return json.loads(done.stdout or done.stderr)["error"]

    def learn(self, *texts, tag=None, category=None):
        """The ids of texts."""
        labels = (["--tag", tag] if tag else []) + (["--category", category] if category else [])
        ids = [self.json("learn", text, *labels)["block_id"] for text in texts]
        return ids if len(ids) > 1 else ids[0]

    def active(self, *texts, **labels):
        ids = self.learn(*texts, **labels)
        self.json("dream")
        return ids

    def rows(self, sql, *values):
        connection = sqlite3.connect(f"file:{self.path}?mode=ro", uri=True)
        connection.row_factory = sqlite3.Row
        found = [dict(row) for row in connection.execute(sql, values)]
        connection.close()
        return found

    def block(self, block_id):
        (row,) = self.rows("SELECT * FROM blocks WHERE id = ?", block_id)
        return row

    def edge(self, one, other):
        """The edge of a pair; none if there is none."""
        found = self.rows("SELECT * FROM edges WHERE from_id = ? AND to_id = ?", *sorted((one, other)))
        return found[0] if found else None

    def write(self, sql, *values):
        """Changes the file by hand."""
        connection = sqlite3.connect(self.path)
        connection.execute("PRAGMA foreign_keys = ON")
        with connection:
            connection.execute(sql, values)
        connection.close()

    def age(self, hours):
        """Lets active hours pass."""
        self.write("UPDATE system_config SET value = CAST(value AS REAL) + ? WHERE key = 'total_active_hours'", hours)

    def mcp(self, *options):
        server = Mcp(self, options)
        self.servers.append(server)
        return server

    def http(self):
        server = Http(self)
        self.servers.append(server)
        return server


class Mcp:
    """A client of the server over standard input and output."""

    def __init__(self, memory, options):
        self.process = subprocess.Popen(
            [PROGRAM, "--db", str(memory.path), "serve", *options], stdin=subprocess.PIPE, stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL, text=True, env=memory.environment, cwd=memory.folder)
        self.number = 0
        self.ask("initialize", protocolVersion="2025-06-18", capabilities={}, clientInfo={"name": "promises", "version": "1"})
        self.send({"jsonrpc": "2.0", "method": "notifications/initialized"})

    def send(self, message):
        self.process.stdin.write(json.dumps(message) + "\n")
        self.process.stdin.flush()

    def ask(self, method, **parameters):
        self.number += 1
        self.send({"jsonrpc": "2.0", "id": self.number, "method": method, "params": parameters})
        while True:
            line = self.process.stdout.readline()
            assert line, f"the server ended at {method}"
            answer = json.loads(line)
            if answer.get("id") == self.number:
                assert "error" not in answer, answer["error"]
                return answer["result"]

    def tools(self):
        return {tool["name"]: tool for tool in self.ask("tools/list")["tools"]}

    def call(self, tool, /, **arguments):
        """The text of an answer, its object, and whether it is an error."""
        answer = self.ask("tools/call", name=tool, arguments=arguments)
        return answer["content"][0]["text"], answer.get("structuredContent"), answer.get("isError", False)

    def stop(self):
        if self.process.poll() is None:
            self.process.stdin.close()
            self.process.wait(timeout=60)


class Http:
    """A client of the server over HTTP."""

    def __init__(self, memory):
        with socket.socket() as free:
            free.bind(("127.0.0.1", 0))
            address = f"127.0.0.1:{free.getsockname()[1]}"
        self.base = f"http://{address}"
        self.process = subprocess.Popen([PROGRAM, "--db", str(memory.path), "serve", "--http", address],
                                        stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, env=memory.environment,
                                        cwd=memory.folder)
        for _ in range(200):
            try:
                urllib.request.urlopen(f"{self.base}/healthz", timeout=5)
                return
            except OSError:
                time.sleep(0.05)
        raise AssertionError("the server does not answer")

    def call(self, verb, /, **arguments):
        """The status and the object of an answer."""
        request = urllib.request.Request(f"{self.base}/api/v1/{verb}", data=json.dumps(arguments).encode(),
                                         headers={"Content-Type": "application/json"})
        try:
            with urllib.request.urlopen(request, timeout=60) as answer:
                return answer.status, json.load(answer)
        except urllib.error.HTTPError as refusal:
            return refusal.code, json.load(refusal)

    def stop(self):
        if self.process.poll() is None:
            self.process.terminate()
            self.process.wait(timeout=60)


def close(one, other, tolerance=1e-6):
    return abs(one - other) <= tolerance


def in_project(*parts):
    return pathlib.Path(__file__).parents[2].joinpath(*parts)


def writes_to(folder, name, text):
    path = pathlib.Path(folder) / name
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text)
    os.chmod(path, 0o600)
    return path
