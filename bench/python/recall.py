"""Times a warm frame of the Python elfmem where it is installed.

Prints one JSON object. Run by `elfmem-bench recall`; argument: active blocks.
"""

import asyncio
import json
import sys
import time

from filled import filled

ASKED = 20


async def main(active: int) -> None:
    async with filled(active) as (memory, _):
        await memory.frame("attention", query="what about thing 3?", top_k=5)
        started = time.process_time()
        for number in range(ASKED):
            await memory.frame("attention", query=f"what about thing {number} in place {number}?", top_k=5)
        done = time.process_time()
    print(json.dumps({"recall_ms": 1000 * (done - started) / ASKED}))


asyncio.run(main(int(sys.argv[1])))
