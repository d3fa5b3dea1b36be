"""Runs inside the sandbox, next to the tests: one line of JSON for each test. It must not import anything of Formicary."""

from __future__ import annotations

import json
from typing import Any, Dict, List

_FILE = "formicary-report.jsonl"
_told: Dict[str, Dict[str, Any]] = {}


def _write(fact: Dict[str, Any]) -> None:
    with open(_FILE, "a", encoding="utf-8", errors="replace") as file:
        file.write(json.dumps(fact) + "\n")


def pytest_collection_finish(session: Any) -> None:
    items: List[Any] = session.items
    for item in items:
        _write({"node": item.nodeid, "outcome": "collected"})


def pytest_collectreport(report: Any) -> None:
    if report.failed:
        _write({"node": report.nodeid, "outcome": "unreadable", "text": str(report.longrepr)})


def pytest_runtest_logreport(report: Any) -> None:
    fact = _told.setdefault(report.nodeid, {"node": report.nodeid, "outcome": "passed", "text": "", "seconds": 0.0})
    fact["seconds"] += report.duration
    expected = getattr(report, "wasxfail", None)
    if report.failed:
        fact.update(outcome="failed", text=str(report.longrepr), when=report.when)
    elif report.skipped:
        reason = report.longrepr[2] if isinstance(report.longrepr, tuple) else str(report.longrepr)
        fact.update(outcome="skipped" if expected is None else "xfailed", text=reason if expected is None else expected)
    if report.when == "teardown":
        fact["sections"] = [list(section) for section in report.sections]
        _write(fact)
