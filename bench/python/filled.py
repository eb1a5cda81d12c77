"""A memory of the Python elfmem for the scripts here: in a throw-away file, with its own mock models, and filled."""

import tempfile
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from elfmem import MemorySystem
from elfmem.adapters.mock import MockEmbeddingService, MockLLMService
from elfmem.db import models, queries
from elfmem.db.engine import create_engine


@asynccontextmanager
async def filled(active: int) -> AsyncIterator[tuple]:
    """The memory with so many consolidated blocks, and its engine."""
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
        yield memory, engine
        await engine.dispose()
