"""Times a warm frame of the Python elfmem where it is installed, with its own mock models.

Prints one JSON object. Run by `elfmem-bench recall`; argument: active blocks.
"""

import asyncio
import json
import sys
import tempfile
import time

from elfmem import MemorySystem
from elfmem.adapters.mock import MockEmbeddingService, MockLLMService
from elfmem.db import models, queries
from elfmem.db.engine import create_engine

ASKED = 20


async def main(active: int) -> None:
    with tempfile.TemporaryDirectory() as folder:
        engine = await create_engine(f"{folder}/memory.db")
        async with engine.begin() as connection:
            await connection.run_sync(models.metadata.create_all)
            await queries.seed_builtin_data(connection)
        memory = MemorySystem(
            engine=engine, llm_service=MockLLMService(), embedding_service=MockEmbeddingService()
        )
        await memory.begin_session()
        for number in range(active):
            await memory.learn(f"Fact {number} about thing {number % 97} and place {number % 31}")
        await memory.consolidate()
        await memory.frame("attention", query="what about thing 3?", top_k=5)
        started = time.process_time()
        for number in range(ASKED):
            await memory.frame("attention", query=f"what about thing {number} in place {number}?", top_k=5)
        done = time.process_time()
        await engine.dispose()
    print(json.dumps({"recall_ms": 1000 * (done - started) / ASKED}))


asyncio.run(main(int(sys.argv[1])))
