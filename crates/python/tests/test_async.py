"""Every method beside an event loop: it waits there, tells the same, and is called off with its task."""

from __future__ import annotations

import asyncio
import inspect
import pathlib
import time

import formicary
from conftest import command_lines
from formicary import AsyncFormicary, Formicary
from formicary.sessions import Session


def test_everything_that_waits_has_its_coroutine() -> None:
    own = {"execute_async"}
    for blocking, beside in ((Formicary, AsyncFormicary), (Session, formicary.AsyncSession)):
        names = {name for name, one in inspect.getmembers(blocking, inspect.isfunction) if not name.startswith("_")}
        for name in names - own - {"run_async"}:
            method = getattr(beside, name)
            assert inspect.iscoroutinefunction(method) or name == "stream", name
            assert method.__doc__, name


def test_results_are_the_same(project: pathlib.Path) -> None:
    (project / "a.py").write_text("import os\nprint(eval(input()))\n")

    async def work() -> None:
        async with AsyncFormicary() as engine:
            several = await asyncio.gather(*(engine.execute(f"print({n})", "python") for n in range(4)))
            assert [result.stdout for result in several] == [f"{n}\n" for n in range(4)]
            found = await engine.search("eval($X)", "a.py")
            assert len(found.matches) == 1
            assert (await engine.detect("#!/bin/bash\necho 1")) == "bash"
            async with await engine.session("python") as session:
                await session.run("x = 20")
                assert (await session.run("x + 1")).text == "21"
                await session.put("f.txt", "text")
                assert (await session.get("f.txt")).content == b"text"
                await session.put("g.txt", "text")
                await session.remove("f.txt", "g.txt")
                assert await session.files() == []
                assert await session.interrupt() is False
            async with engine.stream("print('a'); print('b')", "python") as run:
                text = "".join([event.text async for event in run if event.stream == "stdout"])
                assert (text, (await run.result()).success) == ("a\nb\n", True)

    asyncio.run(work())


def test_a_cancelled_task_leaves_nothing_and_the_loop_goes_on() -> None:
    word = "formicary-async-word"

    async def work() -> float:
        async with AsyncFormicary() as engine:
            await engine.warm_up("bash")
            task = asyncio.ensure_future(engine.execute(f"exec -a {word} sleep 60", "bash"))
            beats = 0
            while not command_lines(word):
                await asyncio.sleep(0.01)
                beats += 1
            assert beats > 0 and not task.done()
            started = time.monotonic()
            task.cancel()
            try:
                await task
            except asyncio.CancelledError:
                return time.monotonic() - started
            raise AssertionError("the task was not cancelled")

    assert asyncio.run(work()) < 10
    deadline = time.monotonic() + 5
    while command_lines(word) and time.monotonic() < deadline:
        time.sleep(0.01)
    assert command_lines(word) == []
