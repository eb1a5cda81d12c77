"""Compares the official MCP memory server with `elfmem serve --tools official`, call by call.

Usage: official.py PROGRAM SERVER_JS
"""

from __future__ import annotations

import json
import os
import random
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Any

PROGRAM, SERVER = (str(Path(argument).resolve()) for argument in sys.argv[1:3])
HISTORIES = 30
STEPS = 25


class Server:
    """A server over standard streams."""

    def __init__(self, command: list[str], environment: dict[str, str], folder: Path) -> None:
        kept = {name: value for name, value in os.environ.items() if not name.startswith(("ELFMEM_", "XDG_"))}
        self.process = subprocess.Popen(
            command, cwd=folder, env=kept | {"HOME": str(folder)} | environment,
            stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True,
        )
        self.last = 0
        client = {"protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": {"name": "test", "version": "1"}}
        self.request("initialize", client)
        self.send({"jsonrpc": "2.0", "method": "notifications/initialized"})

    def send(self, message: dict[str, Any]) -> None:
        assert self.process.stdin is not None
        self.process.stdin.write(json.dumps(message) + "\n")
        self.process.stdin.flush()

    def request(self, method: str, params: dict[str, Any]) -> dict[str, Any]:
        self.last += 1
        self.send({"jsonrpc": "2.0", "id": self.last, "method": method, "params": params})
        assert self.process.stdout is not None
        while True:
            line = self.process.stdout.readline()
            assert line, f"the server ended: {method} {params}"
            message = json.loads(line)
            if message.get("id") == self.last:
                return message

    def call(self, tool: str, arguments: Any) -> dict[str, Any]:
        params = {"name": tool} if arguments is None else {"name": tool, "arguments": arguments}
        result = self.request("tools/call", params)["result"]
        return {
            "text": [block["text"] for block in result["content"]],
            "structured": result.get("structuredContent"),
            "error": bool(result.get("isError")),
        }

    def stop(self) -> None:
        assert self.process.stdin is not None
        self.process.stdin.close()
        self.process.wait(timeout=60)


def official(folder: Path) -> Server:
    return Server(["node", SERVER], {"MEMORY_FILE_PATH": str(folder / "memory.jsonl")}, folder)


def ours(folder: Path) -> Server:
    return Server([PROGRAM, "serve", "--tools", "official"], {"ELFMEM_DB": str(folder / "memory.db")}, folder)


def without_prose(schema: Any) -> Any:
    """A schema without descriptions, which are ours, and without what every schema has."""
    left_out = {"description", "$schema", "additionalProperties"}
    if isinstance(schema, dict) and "properties" in schema:
        properties = {name: without_prose(value) for name, value in schema["properties"].items()}
        return {name: value for name, value in schema.items() if name not in left_out} | {"properties": properties}
    if isinstance(schema, dict):
        return {name: without_prose(value) for name, value in schema.items() if name not in left_out}
    return schema


def compare_lists(theirs: Server, own: Server) -> None:
    def listed(server: Server) -> list[dict[str, Any]]:
        tools = server.request("tools/list", {})["result"]["tools"]
        names = ("name", "title", "annotations")
        return [
            {name: tool[name] for name in names}
            | {name: without_prose(tool[name]) for name in ("inputSchema", "outputSchema")}
            for tool in tools
        ]

    assert listed(theirs) == listed(own), json.dumps([listed(theirs), listed(own)], indent=1)
    uris = [server.request("resources/list", {})["result"]["resources"][0]["uri"] for server in (theirs, own)]
    assert uris[0] == uris[1], uris


def fixed_calls() -> list[tuple[str, Any]]:
    def entity(name: str, *observations: str, kind: str = "person") -> dict[str, Any]:
        return {"name": name, "entityType": kind, "observations": list(observations)}

    def relation(start: str, kind: str, end: str) -> dict[str, str]:
        return {"from": start, "to": end, "relationType": kind}

    calls: list[tuple[str, Any]] = [
        ("read_graph", {}),
        ("read_graph", None),
        ("create_entities", {"entities": [entity("Maria", "is allergic to peanuts", "Likes tea "), entity("Acme", kind="company")]}),
        ("create_entities", {"entities": [entity("Maria", "purrs", kind="cat"), entity("Ravi")], "more": 1}),
        ("create_relations", {"relations": [relation("Maria", "works_at", "Acme"), relation("Maria", "knows", "nobody")]}),
        ("create_relations", {"relations": [relation("Maria", "works_at", "Acme"), relation("Maria", "works at", "Acme")]}),
        ("add_observations", {"observations": [{"entityName": "Maria", "contents": ["likes tea ", "is allergic to peanuts", "ä ö 漢字"]}]}),
        ("add_observations", {"observations": [{"entityName": "Ravi", "contents": ["new"]}, {"entityName": "Nobody", "contents": ["x"]}]}),
        ("add_observations", {"observations": []}),
        ("read_graph", {}),
        ("search_nodes", {"query": "TEA"}),
        ("search_nodes", {"query": "company"}),
        ("search_nodes", {"query": "mar"}),
        ("search_nodes", {"query": ""}),
        ("search_nodes", {"query": "nothing of the kind"}),
        ("open_nodes", {"names": ["Acme", "nobody", "Maria"]}),
        ("open_nodes", {"names": []}),
        ("delete_observations", {"deletions": [{"entityName": "Maria", "observations": ["likes tea ", "unknown"]}, {"entityName": "x", "observations": ["y"]}]}),
        ("delete_relations", {"relations": [relation("Maria", "works at", "Acme"), relation("a", "b", "c")]}),
        ("read_graph", {}),
        ("delete_entities", {"entityNames": ["Acme", "unknown"]}),
        ("read_graph", {}),
        ("create_entities", {"entities": [entity("Acme", "is back", kind="company")]}),
        ("add_observations", {"observations": [{"entityName": "Maria", "contents": ["likes tea "]}]}),
        ("read_graph", {}),
        ("no_such_tool", {}),
    ]
    wrong: list[Any] = [{}, {"entities": {}}, {"entities": [{"name": "x"}]}, {"entities": [{"name": 1, "entityType": None, "observations": ["a", 2]}]}]
    calls += [("create_entities", arguments) for arguments in wrong]
    calls += [("search_nodes", {"query": 5}), ("open_nodes", {"names": "Maria"}), ("create_relations", {"relations": [{"from": "a"}]})]
    calls += [("add_observations", {"observations": [{"entityName": "Maria"}]}), ("delete_entities", {"entityNames": [True]})]
    return calls


def random_calls(chance: random.Random) -> list[tuple[str, Any]]:
    """Calls without equal items in one list: the official server keeps both, and elfmem one."""
    names = ["Maria", "maria", "Acme: x", "Ö & Co", "a b"]
    texts = ["likes tea", "Likes Tea", "likes tea ", " x", "a\nb", "\"quoted\" \\ <b>", "x"]
    kinds = ["knows", "works_at", "works at", ""]

    def some(choices: list[str]) -> list[str]:
        return chance.sample(choices, chance.randint(0, 3))

    def relations() -> list[dict[str, str]]:
        return [{"from": name, "to": chance.choice(names), "relationType": chance.choice(kinds)} for name in some(names)]

    calls: list[tuple[str, Any]] = []
    for _ in range(STEPS):
        calls.append(chance.choice([
            lambda: ("create_entities", {"entities": [{"name": name, "entityType": chance.choice(kinds), "observations": some(texts)} for name in some(names)]}),
            lambda: ("create_relations", {"relations": relations()}),
            lambda: ("add_observations", {"observations": [{"entityName": name, "contents": some(texts)} for name in some(names)]}),
            lambda: ("delete_entities", {"entityNames": some(names)[:1]}),
            lambda: ("delete_observations", {"deletions": [{"entityName": name, "observations": some(texts)} for name in some(names)]}),
            lambda: ("delete_relations", {"relations": relations()}),
            lambda: ("search_nodes", {"query": chance.choice(texts + names).strip()[:3]}),
            lambda: ("open_nodes", {"names": some(names)}),
        ])())
        calls.append(("read_graph", {}))
    return calls


def compare(calls: list[tuple[str, Any]], what: str) -> int:
    with tempfile.TemporaryDirectory() as place:
        folder = Path(place)
        theirs, own = official(folder), ours(folder)
        compare_lists(theirs, own)
        for tool, arguments in calls:
            expected, answered = theirs.call(tool, arguments), own.call(tool, arguments)
            assert expected == answered, f"{what}: {tool} {json.dumps(arguments)}\nofficial {expected}\nelfmem   {answered}"
        graph = own.call("read_graph", {})
        resource = own.request("resources/read", {"uri": "memory://knowledge-graph"})["result"]["contents"][0]
        assert json.loads(resource["text"]) == graph["structured"], resource
        theirs.stop()
        own.stop()
        # The file of the official server, imported into another memory, is the same graph.
        database = str(folder / "imported.db")
        environment = os.environ | {"HOME": str(folder), "ELFMEM_DB": database}
        source = str(folder / "memory.jsonl")
        if Path(source).exists() and Path(source).stat().st_size > 0:
            subprocess.run([PROGRAM, "import", source, "--from", "mcp-memory"], env=environment, cwd=folder, check=True, stdout=subprocess.DEVNULL)
            imported = Server([PROGRAM, "serve", "--tools", "official"], {"ELFMEM_DB": database}, folder)
            kept = without_blank(graph["structured"])
            assert without_blank(imported.call("read_graph", {})["structured"]) == kept, f"{what}: the import differs"
            imported.stop()
    return len(calls)


def without_blank(graph: dict[str, Any]) -> dict[str, Any]:
    """An import leaves out observations without a word."""
    entities = [entity | {"observations": [text for text in entity["observations"] if text.strip()]} for entity in graph["entities"]]
    return {"entities": entities, "relations": graph["relations"]}


count = compare(fixed_calls(), "fixed calls")
for seed in range(HISTORIES):
    count += compare(random_calls(random.Random(seed)), f"history {seed}")
print(f"{count} calls in {HISTORIES + 1} histories: the answers of the official server and of elfmem are the same.")
