"""What the tests share: skips are told to the project's summary, and every test leaves no process behind."""

from __future__ import annotations

import os
import pathlib
import tempfile
import time
from typing import Iterator, List

import pytest

import formicary

# Runs of tests are not in the audit log of who runs them. Engines read this when they are made.
_STATE = tempfile.TemporaryDirectory(prefix="formicary-state-")
os.environ["XDG_STATE_HOME"] = _STATE.name

# These are programs, which a test starts in a folder of their own.
collect_ignore = ["quick_starts"]


def pytest_runtest_logreport(report: pytest.TestReport) -> None:
    """A skip stands in the summary with its reason."""
    place = os.environ.get("FORMICARY_TEST_SKIPS")
    if report.skipped and place and not hasattr(report, "wasxfail"):
        reason = report.longrepr[2] if isinstance(report.longrepr, tuple) else str(report.longrepr)
        with open(place, "a", encoding="utf-8") as file:
            file.write(f"python {report.nodeid.split('/')[-1]}: {reason}\n")


@pytest.fixture()
def project(tmp_path: pathlib.Path, monkeypatch: pytest.MonkeyPatch) -> pathlib.Path:
    """A folder to stand in, marked as a project of its own."""
    tmp_path.chmod(0o755)
    (tmp_path / "pyproject.toml").write_text("")
    monkeypatch.chdir(tmp_path)
    return tmp_path


def descendants(of: int) -> List[int]:
    """The processes below one, by the kernel's own account."""
    parents = {}
    for entry in os.listdir("/proc"):
        if entry.isdigit():
            try:
                with open(f"/proc/{entry}/stat", encoding="utf-8", errors="replace") as file:
                    rest = file.read().rsplit(")", 1)[1].split()
                parents[int(entry)] = int(rest[1])
            except OSError:
                continue
    found, level = [], [of]
    while level:
        level = [child for child, parent in parents.items() if parent in level]
        found += level
    return found


def command_lines(word: str) -> List[int]:
    """Processes in whose command line a word stands: sandboxed programs carry a word of their own."""
    found = []
    for entry in os.listdir("/proc"):
        if entry.isdigit() and int(entry) != os.getpid():
            try:
                with open(f"/proc/{entry}/cmdline", "rb") as file:
                    if word.encode() in file.read():
                        found.append(int(entry))
            except OSError:
                continue
    return found


def until(condition: "object", seconds: float = 20.0) -> bool:
    """Waits for something that must come true; what it waits for is an event, the time only bounds a failure."""
    ended = time.monotonic() + seconds
    while time.monotonic() < ended:
        if condition():  # type: ignore[operator]
            return True
        time.sleep(0.02)
    return bool(condition())  # type: ignore[operator]


@pytest.fixture(scope="session", autouse=True)
def nothing_is_left() -> Iterator[None]:
    """At the end no run is under way."""
    yield
    from formicary.coding import ExecutionMonitor

    assert ExecutionMonitor().active() == []
    formicary._default.client.close()
    assert until(lambda: not descendants(os.getpid()), 10)
