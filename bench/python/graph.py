"""Times the Python elfmem where it is installed: connect, outcome on five blocks, curate.

Prints one JSON object. Run by `elfmem-bench graph`; argument: active blocks.
"""

import asyncio
import json
import random
import sys
import time

from elfmem.db import queries
from filled import filled

OPERATIONS = 50


async def main(active: int) -> None:
    async with filled(active) as (memory, engine):
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
