"""Breaks the stream of a tool call and fetches the answer with `Last-Event-ID`.

Usage: resume.py URL
"""

from __future__ import annotations

import http.client
import json
import sys
from typing import Any
from urllib.parse import urlparse

PLACE = urlparse(sys.argv[1])
TIMEOUT = 30


def connect() -> http.client.HTTPConnection:
    assert PLACE.hostname is not None
    return http.client.HTTPConnection(PLACE.hostname, PLACE.port, timeout=TIMEOUT)


def headers(session: str | None = None, last_event: str | None = None) -> dict[str, str]:
    fields = {"Content-Type": "application/json", "Accept": "application/json, text/event-stream", "MCP-Protocol-Version": "2025-11-25"}
    if session is not None:
        fields["Mcp-Session-Id"] = session
    if last_event is not None:
        fields["Last-Event-ID"] = last_event
    return fields


def events(response: http.client.HTTPResponse) -> Any:
    """The events of a stream: their fields."""
    fields: dict[str, str] = {}
    for raw in response:
        line = raw.decode().rstrip("\r\n")
        if line == "":
            if fields:
                yield fields
            fields = {}
        elif not line.startswith(":"):
            name, _, value = line.partition(":")
            fields[name] = value.removeprefix(" ")


def post(message: dict[str, Any], session: str | None) -> tuple[http.client.HTTPConnection, http.client.HTTPResponse]:
    connection = connect()
    connection.request("POST", PLACE.path, json.dumps({"jsonrpc": "2.0"} | message), headers(session))
    return connection, connection.getresponse()


client = {"protocolVersion": "2025-11-25", "capabilities": {}, "clientInfo": {"name": "resume", "version": "1"}}
connection, response = post({"id": 1, "method": "initialize", "params": client}, None)
session = response.headers["Mcp-Session-Id"]
assert session, "the server begins a session"
response.read()
connection.close()
connection, response = post({"method": "notifications/initialized"}, session)
response.read()
connection.close()

text = "A text that is stored while nobody listens"
call = {"name": "elfmem_learn", "arguments": {"content": text}}
connection, response = post({"id": 7, "method": "tools/call", "params": call}, session)
first = next(events(response))
assert "id" in first and first.get("data", "") == "", f"the stream begins with an id to resume from: {first}"
connection.close()

connection = connect()
connection.request("GET", PLACE.path, headers=headers(session, first["id"]))
response = connection.getresponse()
assert response.status == 200, (response.status, response.read())
answer = next(message for event in events(response) if event.get("data") for message in [json.loads(event["data"])] if message.get("id") == 7)
assert answer["result"]["structuredContent"]["status"] == "created", answer
connection.close()

connection = connect()
connection.request("GET", PLACE.path, headers=headers(session, "no such event"))
assert connection.getresponse().status < 500, "an unknown event is no fault of the server"
connection.close()
print("resume: the answer of a broken stream was fetched with Last-Event-ID")
