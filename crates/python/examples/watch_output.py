"""Output as it is written, in a loop that does other things too."""

from __future__ import annotations

import asyncio

import formicary


def watch() -> None:
    """Shows lines while the program runs, and what it used."""
    code = "import time\nfor n in range(3):\n    print('step', n, flush=True)\n    time.sleep(0.1)\n"
    with formicary.stream(code, "python", timeout=10) as run:
        for event in run:
            if event.stream == "stdout":
                print(event.text, end="")
    print(f"{run.result.status} after {run.result.duration:.1f} s")


async def together() -> None:
    """Two programs beside each other, under an event loop."""
    both = await asyncio.gather(
        formicary.execute_async("print('python')", "python"), formicary.execute_async("echo bash", "bash")
    )
    print([result.stdout for result in both])


if __name__ == "__main__":
    watch()
    asyncio.run(together())
