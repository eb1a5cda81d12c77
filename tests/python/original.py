"""Runs operations on a memory with the Python elfmem that is installed, for `differential.py`.

Arguments: the file, the address of the models. Reads one JSON object a line, and answers each with one.
"""

import asyncio
import json
import sqlite3
import sys

from elfmem import MemorySystem
from elfmem.config import ElfmemConfig

import models


def plain(value):
    """What an operation returned, as JSON."""
    if hasattr(value, "__dict__"):
        return {key: plain(part) for key, part in vars(value).items()}
    if isinstance(value, (list, tuple)):
        return [plain(part) for part in value]
    return value if isinstance(value, (str, int, float, bool, type(None))) else str(value)


def write(path, sql, *values):
    """Changes a setting by hand."""
    connection = sqlite3.connect(path, timeout=10)
    connection.execute(sql, values)
    connection.commit()
    connection.close()


async def perform(memory, path, asked):
    name, given = asked["operation"], asked["arguments"]
    if name == "age":
        await memory.end_session()
        write(path, "UPDATE system_config SET value = CAST(value AS REAL) + ? WHERE key = 'total_active_hours'", given["hours"])
        return await memory.begin_session()
    if name == "session":
        await memory.end_session()
        return await memory.begin_session()
    if name == "dream":
        result = await memory.consolidate()
        while (await memory.status()).inbox_count:
            await memory.consolidate()
        return result
    return await getattr(memory, name)(**given)


async def main(path, address):
    model = {"base_url": address, "model": models.NAME}
    config = ElfmemConfig.model_validate({"llm": model, "embeddings": {**model, "dimensions": models.DIMENSIONS},
                                          "memory": {"curate_interval_hours": 1e9, "edge_degree_cap": models.DEGREE_CAP}})
    memory = await MemorySystem.from_config(path, config)
    await memory.begin_session()
    # A memory that was never curated is curated at once, and then the test would not decide when.
    write(path, "INSERT OR REPLACE INTO system_config VALUES ('last_curate_at', '0.0')")
    print(json.dumps({"ready": True}), flush=True)
    for line in sys.stdin:
        try:
            answer = {"result": plain(await perform(memory, path, json.loads(line)))}
        except Exception as error:
            answer = {"error": type(error).__name__, "message": str(error)}
        print(json.dumps(answer), flush=True)
    await memory.close()


asyncio.run(main(sys.argv[1], sys.argv[2]))
