"""Opens a memory with the Python elfmem that is installed and uses it. Argument: the file."""

import asyncio
import pathlib
import sys

from make import dream_all, leave_project, opened


async def main(path):
    memory = await opened(path)
    await memory.begin_session("outside")
    await memory.learn("giraffes were seen outside the office", tags=["topic/animals"])
    await memory.learn("the office door opens at seven")
    await dream_all(memory)
    await memory.learn("this waits for the next dream", category="observation")
    found = await memory.recall("giraffes outside", top_k=2)
    await memory.outcome([block.id for block in found[:2]], 0.9, source="test")
    await memory.connect(found[0].id, found[1].id, relation="supports", if_exists="update")
    await memory.end_session()
    await memory.close()


path = pathlib.Path(sys.argv[1]).resolve()
leave_project()
asyncio.run(main(path))
