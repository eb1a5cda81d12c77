"""The official Python client drives `elfmem serve`, over standard streams and over HTTP.

Usage: client.py PROGRAM
"""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator
from contextlib import asynccontextmanager, contextmanager
from pathlib import Path
from typing import Any

import anyio
import httpx2
from mcp import Client, StdioServerParameters
from mcp.client.streamable_http import streamable_http_client
from mcp.shared.exceptions import MCPError

from story import live

PROGRAM = str(Path(sys.argv[1]).resolve())
TOKEN = "0123456789abcdef0123456789abcdef"
# The handshake of old clients, and what new ones find out for themselves.
MODES = ("legacy", "auto")

Connect = Callable[[], Any]
Test = Callable[[Connect], Awaitable[None]]


def environment(folder: Path) -> dict[str, str]:
    """Nothing of the caller's settings, and a home of its own."""
    kept = {name: value for name, value in os.environ.items() if not name.startswith(("ELFMEM_", "XDG_"))}
    return kept | {"HOME": str(folder), "ELFMEM_DB": str(folder / "memory.db")}


@contextmanager
def over_stdio(folder: Path, mode: str) -> Iterator[Connect]:
    """Every client starts a server of its own, on one file."""
    server = StdioServerParameters(command=PROGRAM, args=["serve", "--tools", "all"], env=environment(folder), cwd=folder)
    yield lambda: Client(server, mode=mode, read_timeout_seconds=60)


@contextmanager
def over_http(folder: Path, mode: str) -> Iterator[Connect]:
    """All clients share one server."""
    (folder / "token").touch(mode=0o600)
    (folder / "token").write_text(TOKEN)
    command = [PROGRAM, "serve", "--tools", "all", "--http", "127.0.0.1:0", "--token-file", "token"]
    server = subprocess.Popen(command, cwd=folder, env=environment(folder), stderr=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
    assert server.stderr is not None and server.stdout is not None
    try:
        url = server.stderr.readline().removeprefix("elfmem serves MCP at ").split()[0]

        @asynccontextmanager
        async def connect() -> AsyncIterator[Client]:
            headers = {"Authorization": f"Bearer {TOKEN}"}
            async with httpx2.AsyncClient(headers=headers, timeout=60) as http:
                async with Client(streamable_http_client(url, http_client=http), mode=mode) as client:
                    yield client

        yield connect
        server.send_signal(signal.SIGTERM)
        assert server.wait(timeout=30) == 0, "the server did not stop in order"
        assert server.stdout.read() == "", "something was written to standard output"
    finally:
        server.kill()
        server.wait()


async def introduces_itself(connect: Connect) -> None:
    async with connect() as client:
        assert client.server_info is not None and client.server_info.name == "elfmem", client.server_info
        assert client.instructions is not None and len(client.instructions.split()) < 150


async def every_tool_works(connect: Connect) -> None:
    async with connect() as client:
        listed = {tool.name for tool in (await client.list_tools()).tools}
        called: set[str] = set()

        async def call(verb: str, **arguments: Any) -> dict[str, Any]:
            name = f"elfmem_{verb}"
            # The client itself checks the answer against the schema of the tool.
            result = await client.call_tool(name, arguments)
            assert not result.is_error, (name, arguments, result)
            assert result.content[0].text.strip(), (name, "says nothing")
            assert isinstance(result.structured_content, dict), (name, result)
            called.add(name)
            return result.structured_content

        await live(call)
        assert called == listed, f"not called: {sorted(listed - called)}"


async def the_first_session_needs_no_dream(connect: Connect) -> None:
    async with connect() as client:
        async def call(name: str, **arguments: object) -> dict:
            result = await client.call_tool(f"elfmem_{name}", arguments)
            assert not result.is_error, (name, result)
            return result.structured_content

        kettle = (await call("learn", content="The teapot stands beside the kettle", tags="kitchen"))["block_id"]
        other = (await call("learn", content="Guests get their tea at four"))["block_id"]
        recalled = await client.call_tool("elfmem_recall", {"query": "where is the teapot?", "limit": 1})
        assert recalled.structured_content["blocks"][0]["block_id"] == kettle, recalled
        assert f"[{kettle[:8]} | today, " in recalled.content[0].text, recalled.content
        outcome = await call("outcome", block_ids=[kettle], signal=0.9)
        assert outcome["blocks_updated"] == 1 and outcome["promoted"][0]["block_id"] == kettle, outcome
        edge = await call("connect", source=kettle, target=other, relation="supports")
        assert edge["relation"] == "supports" and edge["promoted"][0]["block_id"] == other, edge
        assert (await call("undo"))["operation"] == "connect"


async def every_resource_can_be_read(connect: Connect) -> None:
    async with connect() as client:
        learned = await client.call_tool("elfmem_learn", {"content": "The kettle is in the kitchen"})
        uris = [resource.uri for resource in (await client.list_resources()).resources]
        assert "elfmem://status" in uris and len(uris) >= 6, uris
        templates = {template.uri_template for template in (await client.list_resource_templates()).resource_templates}
        assert templates == {"elfmem://block/{id}", "elfmem://frame/{name}"}, templates
        for uri in [*uris, f"elfmem://block/{learned.structured_content['block_id']}", "elfmem://frame/attention"]:
            contents = (await client.read_resource(uri)).contents
            assert contents[0].text.strip(), uri
        await refused(client.read_resource("elfmem://block/ffffffffffff"), "There is no block")


async def every_prompt_can_be_told(connect: Connect) -> None:
    async with connect() as client:
        names = {prompt.name for prompt in (await client.list_prompts()).prompts}
        assert names == {"recall", "reflect"}, names
        for name, arguments in (("reflect", {}), ("recall", {"task": "make tea"})):
            told = await client.get_prompt(name, arguments)
            assert "elfmem_" in told.messages[0].content.text, told
        await refused(client.get_prompt("recall", {}), "'task'")


async def bad_arguments_are_refused(connect: Connect) -> None:
    async with connect() as client:
        await client.list_tools()
        before = (await client.call_tool("elfmem_status", {})).structured_content
        for name, arguments, told in (
            ("elfmem_learn", {"contents": "x"}, "did you mean 'content'?"),
            ("elfmem_learn", {}, "There is nothing to store"),
            ("elfmem_recall", {"query": 5}, "'query' must be"),
            ("elfmem_connect", {"source": "zzzz", "target": "yyyy"}, "Recovery"),
            ("elfmem_frame", {"name": "nowhere"}, "Valid frames"),
        ):
            result = await client.call_tool(name, arguments)
            assert result.is_error and told in result.content[0].text, (name, result)
            assert set(result.structured_content) == {"error", "message", "recovery"}, result
        after = (await client.call_tool("elfmem_status", {})).structured_content
        for count in ("inbox_count", "active_count", "archived_count"):
            assert before[count] == after[count], (before, after)
        await refused(client.call_tool("elfmem_nothing", {}), "There is no tool")


async def a_cancelled_call_harms_nothing(connect: Connect) -> None:
    async with connect() as client:
        for number in range(120):
            await client.call_tool("elfmem_learn", {"content": f"Shelf {number} holds {number * 17} screws"})
        before = (await client.call_tool("elfmem_status", {})).structured_content
        with anyio.move_on_after(0.01) as scope:
            await client.call_tool("elfmem_consolidate", {})
        assert scope.cancelled_caught, "it was over before it could be cancelled"
        after = (await client.call_tool("elfmem_status", {})).structured_content

        def blocks(status: dict[str, Any]) -> int:
            return status["inbox_count"] + status["active_count"] + status["archived_count"]

        assert blocks(before) == blocks(after), (before, after)
        result = await client.call_tool("elfmem_learn", {"content": "life goes on"})
        assert not result.is_error, result


async def two_clients_work_at_once(connect: Connect) -> None:
    async with connect() as one, connect() as two:

        async def work(client: Client, name: str) -> None:
            for number in range(15):
                learned = await client.call_tool("elfmem_learn", {"content": f"{name} saw bird number {number}"})
                assert not learned.is_error, learned
                found = await client.call_tool("elfmem_recall", {"query": f"{name} bird {number}"})
                assert not found.is_error, found

        async with anyio.create_task_group() as tasks:
            tasks.start_soon(work, one, "Ada")
            tasks.start_soon(work, two, "Bob")
        for client, other in ((one, "Bob"), (two, "Ada")):
            found = await client.call_tool("elfmem_recall", {"query": f"what did {other} see? bird 14"})
            assert f"{other} saw bird number 14" in found.content[0].text, found


async def refused(request: Awaitable[Any], told: str) -> None:
    try:
        await request
    except MCPError as error:
        assert told in str(error), error
    else:
        raise AssertionError(f"it was not refused: {told}")


TESTS: tuple[Test, ...] = (
    introduces_itself,
    every_tool_works,
    the_first_session_needs_no_dream,
    every_resource_can_be_read,
    every_prompt_can_be_told,
    bad_arguments_are_refused,
    a_cancelled_call_harms_nothing,
    two_clients_work_at_once,
)


def main() -> int:
    failed = 0
    for transport in (over_stdio, over_http):
        for mode in MODES:
            for test in TESTS:
                name = f"{transport.__name__} {mode} {test.__name__}"
                started = time.monotonic()
                with tempfile.TemporaryDirectory() as folder:
                    try:
                        with transport(Path(folder), mode) as connect:
                            anyio.run(test, connect)
                    except BaseException as error:  # noqa: BLE001 - whatever it is, it is told and the next one runs
                        if isinstance(error, KeyboardInterrupt):
                            raise
                        failed += 1
                        print(f"FAIL {name}: {innermost(error)!r}", flush=True)
                        continue
                print(f"ok   {name} ({time.monotonic() - started:.1f} s)", flush=True)
    print(f"{failed} failed" if failed else "all passed")
    return 1 if failed else 0


def innermost(error: BaseException) -> BaseException:
    """What went wrong, without the groups that tasks wrap it in."""
    while isinstance(error, BaseExceptionGroup) and error.exceptions:
        error = error.exceptions[0]
    return error


if __name__ == "__main__":
    sys.exit(main())
