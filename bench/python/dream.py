"""Times the Python elfmem where it is installed: learn and consolidate.

Prints one JSON object. Run by `elfmem-bench dream`; arguments: active blocks, inbox blocks.
"""

import asyncio
import json
import sys
import time

from filled import filled


async def main(active: int, inbox: int) -> None:
    async with filled(active) as (memory, _):
        started = time.process_time()
        for number in range(inbox):
            await memory.learn(f"Later fact {number} about thing {number % 89} and place {number % 29}")
        learned = time.process_time()
        await memory.consolidate()
        done = time.process_time()
    learn_ms, dream_ms = 1000 * (learned - started) / inbox, 1000 * (done - learned) / inbox
    print(json.dumps({"learn_ms": learn_ms, "dream_ms": dream_ms}))


asyncio.run(main(int(sys.argv[1]), int(sys.argv[2])))
