"""Times the Python elfmem where it is installed: learn and consolidate, with its own mock models.

Prints one JSON object. Run by `elfmem-bench dream`; arguments: active blocks, inbox blocks.
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


async def main(active: int, inbox: int) -> None:
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
        started = time.process_time()
        for number in range(inbox):
            await memory.learn(f"Later fact {number} about thing {number % 89} and place {number % 29}")
        learned = time.process_time()
        await memory.consolidate()
        done = time.process_time()
        await engine.dispose()
    print(
        json.dumps(
            {
                "learn_ms": 1000 * (learned - started) / inbox,
                "dream_ms": 1000 * (done - learned) / inbox,
            }
        )
    )


asyncio.run(main(int(sys.argv[1]), int(sys.argv[2])))
