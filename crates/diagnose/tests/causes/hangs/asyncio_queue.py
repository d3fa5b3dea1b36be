# hang: queue | 6 | queue.get()
import asyncio


async def consume(queue):
    print(await queue.get())


async def main():
    queue = asyncio.Queue()
    await asyncio.gather(consume(queue), asyncio.sleep(0))


asyncio.run(main())
