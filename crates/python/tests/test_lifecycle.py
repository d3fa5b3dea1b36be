"""Ctrl-C, forks, event loops and ends in the middle of a run: no hang, no orphan, nothing left."""

from __future__ import annotations

import os
import pathlib
import signal
import subprocess
import sys
import textwrap
import threading
import uuid

import pytest

import formicary
from conftest import command_lines, descendants, until


def start(code: str) -> "subprocess.Popen[str]":
    return subprocess.Popen(
        [sys.executable, "-c", textwrap.dedent(code)],
        stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, start_new_session=True,
        # Whoever runs the tests in the background ignores this signal, and so would everybody below.
        preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_DFL),
    )  # fmt: skip


def ended(process: "subprocess.Popen[str]", seconds: float = 30) -> "tuple[int, str, str]":
    try:
        out, err = process.communicate(timeout=seconds)
    except subprocess.TimeoutExpired:
        process.kill()
        process.communicate()
        raise AssertionError("the process hangs") from None
    return process.returncode, out, err


def word() -> str:
    """A word that marks one test's sandboxed program among all processes."""
    return f"marked-{uuid.uuid4().hex}"


def sleeping(mark: str) -> str:
    """A command that is seen on the host by its word and lasts longer than any test."""
    return f"formicary.execute(command=['sh', '-c', 'sleep 60; : {mark}'], timeout=60)"


def test_ctrl_c_ends_the_run_and_leaves_nothing() -> None:
    mark = word()
    process = start(f"""
        import formicary
        try:
            {sleeping(mark)}
        except KeyboardInterrupt:
            from formicary.coding import ExecutionMonitor
            print("interrupted", ExecutionMonitor().active())
            print(formicary.execute("print('goes on')", "python").stdout)
    """)
    assert until(lambda: len(command_lines(mark)) > 1)
    process.send_signal(signal.SIGINT)
    code, out, err = ended(process)
    assert (code, out.split("\n")[:2]) == (0, ["interrupted []", "goes on"]), err
    assert until(lambda: not command_lines(mark))


def test_ctrl_c_ends_a_stream_and_interrupts_a_session() -> None:
    process = start("""
        import formicary, os, signal, threading
        for attempt in range(2):
            try:
                with formicary.stream("print(1, flush=True)\\nwhile True: pass", "python") as run:
                    for event in run:
                        if event.stream == "stdout":
                            os.kill(os.getpid(), signal.SIGINT)
            except KeyboardInterrupt:
                print("stream")
        with formicary.session("python") as session:
            session.run("x = 1")
            timer = threading.Timer(0.7, os.kill, (os.getpid(), signal.SIGINT))
            timer.start()
            try:
                session.run("while True: pass")
            except KeyboardInterrupt:
                print("session", session.run("x + 1").text)
    """)
    code, out, err = ended(process)
    assert (code, out) == (0, "stream\nstream\nsession 2\n"), err


def test_the_interpreters_lock_is_free_during_a_run() -> None:
    counted = threading.Event()

    def count() -> None:
        for _ in range(1000):
            pass
        counted.set()

    with formicary.stream("print(1, flush=True)\ninput()\nimport time; time.sleep(1)", "python", stdin="x\n") as run:
        threading.Thread(target=count).start()
        assert run.result.success
    assert counted.is_set()


def test_a_fork_has_an_engine_of_its_own() -> None:
    assert formicary.execute("print(1)", "python").success
    reader, writer = os.pipe()
    child = os.fork()
    if child == 0:
        text = formicary.execute("print('child')", "python").stdout
        os.write(writer, text.encode())
        formicary._default.client.close()
        os._exit(0)
    os.close(writer)
    assert os.read(reader, 100) == b"child\n"
    os.close(reader)
    assert os.waitpid(child, 0)[1] == 0
    assert formicary.execute("print('parent')", "python").stdout == "parent\n"


def test_forks_with_runs_under_way_and_pools() -> None:
    process = start("""
        import formicary, multiprocessing, threading

        def square(n):
            return formicary.execute(f"print({n} ** 2)", "python").stdout.strip()

        if __name__ == "__main__":
            busy = threading.Thread(target=lambda: [square(n) for n in range(10)])
            formicary.execute("1", "python")
            busy.start()
            with multiprocessing.get_context("fork").Pool(2) as pool:
                print(pool.map(square, range(4)))
            busy.join()
            print(square(9))
    """)
    code, out, err = ended(process, 60)
    assert (code, out) == (0, "['0', '1', '4', '9']\n81\n"), err


def test_a_child_that_ends_does_not_end_the_parents_sandboxes() -> None:
    process = start("""
        import formicary, os, sys
        with formicary.session("python") as session:
            session.run("x = 7")
            child = os.fork()
            if child == 0:
                sys.exit(0)
            os.waitpid(child, 0)
            print(session.run("x").text)
    """)
    code, out, err = ended(process)
    assert (code, out) == (0, "7\n"), err


@pytest.mark.parametrize("how", ["return", "sys.exit(3)", "os._exit(3)", "os.kill(os.getpid(), 9)"])
def test_an_end_in_the_middle_of_a_run(how: str) -> None:
    mark = word()
    process = subprocess.Popen(
        [sys.executable, "-c", textwrap.dedent(f"""
            import formicary, os, sys, threading
            def main():
                threading.Thread(target=lambda: {sleeping(mark)}, daemon=True).start()
                sys.stdin.readline()
                {how}
            main()
        """)],
        stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
    )  # fmt: skip
    assert until(lambda: len(command_lines(mark)) > 1)
    try:
        _, err = process.communicate("now\n", timeout=30)
    except subprocess.TimeoutExpired:
        process.kill()
        raise AssertionError("the process hangs") from None
    assert "panicked" not in err and "Fatal" not in err, err
    assert process.returncode == {"return": 0, "sys.exit(3)": 3, "os._exit(3)": 3}.get(how, -9)
    assert until(lambda: not command_lines(mark)), "the sandboxed program outlived its caller"


def test_nothing_stands_ready_after_the_end() -> None:
    process = start("""
        import formicary, os
        formicary.warm_up("python")
        formicary.execute("1", "python")
        session = formicary.session("python")
        session.run("1")
        print(os.getpid())
    """)
    code, out, err = ended(process)
    assert code == 0, err
    assert until(lambda: not descendants(int(out)))


def test_cancelling_a_task_ends_its_run() -> None:
    mark = word()
    process = start(f"""
        import asyncio, formicary
        async def main():
            task = asyncio.create_task(formicary.execute_async(command=["sh", "-c", "sleep 60; : {mark}"], timeout=60))
            ticks = 0
            while not any(True for run in formicary.coding.ExecutionMonitor().active()):
                ticks += 1
                await asyncio.sleep(0.02)
            task.cancel()
            try:
                await task
            except asyncio.CancelledError:
                print("cancelled", formicary.coding.ExecutionMonitor().active())
        import formicary.coding
        asyncio.run(main())
    """)
    code, out, err = ended(process)
    assert (code, out) == (0, "cancelled []\n"), err
    assert until(lambda: not command_lines(mark))


def test_importing_starts_nothing(tmp_path: pathlib.Path) -> None:
    process = start("""
        import os, threading
        import formicary, formicary.coding
        print(threading.active_count(), len(os.listdir("/proc/self/task")))
    """)
    assert ended(process)[:2] == (0, "1 1\n")
