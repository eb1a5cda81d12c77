"""Times the Python elfmem where it is installed: connect, outcome on five blocks, curate.

Prints one JSON object. Run by `elfmem-bench graph`; argument: active blocks.
"""

import asyncio
import json
import random
import sys
import tempfile
import time

from elfmem import MemorySystem
from elfmem.adapters.mock import MockEmbeddingService, MockLLMService
from elfmem.db import models, queries
from elfmem.db.engine import create_engine

OPERATIONS = 50


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
        async with engine.begin() as connection:
            ids = [block["id"] for block in await queries.get_active_blocks(connection)]
        draw = random.Random(11)
        pairs = [draw.sample(ids, 2) for _ in range(OPERATIONS)]
        fives = [draw.sample(ids, 5) for _ in range(OPERATIONS)]
        started = time.process_time()
        for source, target in pairs:
            try:
                await memory.connect(source, target, relation="supports", if_exists="skip")
            except Exception:  # A block at its degree cap: the attempt is what is timed.
                pass
        connected = time.process_time()
        for five in fives:
            await memory.outcome(five, 0.9)
        taught = time.process_time()
        await memory.curate()
        done = time.process_time()
        await engine.dispose()
    print(
        json.dumps(
            {
                "connect_ms": 1000 * (connected - started) / OPERATIONS,
                "outcome_ms": 1000 * (taught - connected) / OPERATIONS,
                "curate_ms": 1000 * (done - taught),
            }
        )
    )


asyncio.run(main(int(sys.argv[1])))
