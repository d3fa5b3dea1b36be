"""``pytest --formicary``: the tests run in the sandbox, file by file, and nothing of theirs is imported outside of it.

The project is seen read-only, the packages of the running environment too; there is no network. ``conftest.py`` is read
inside the sandbox only.
"""

from __future__ import annotations

import json
import os
import pathlib
import sys
from typing import Any, Dict, Iterator, List, Optional, Tuple

import pytest

from .._default import client
from ..errors import FormicaryError
from ..limits import Limits
from ..results import ExecutionResult

_REPORT = "formicary-report.jsonl"
_GUEST = "/project"
_START = "import sys, pytest\nsys.exit(pytest.main(sys.argv[1:]))\n"


def pytest_addoption(parser: pytest.Parser) -> None:
    """The options."""
    group = parser.getgroup("formicary", "tests in a sandbox")
    group.addoption("--formicary", action="store_true", help="run the tests in Formicary's sandbox")
    group.addoption("--formicary-timeout", type=float, default=120.0, metavar="SECONDS", help="for each file (120)")
    group.addoption("--formicary-memory", type=int, default=1024, metavar="MIB", help="for each file (1024)")
    group.addoption("--formicary-network", action="store_true", help="let the tests see the network")


@pytest.hookimpl(tryfirst=True)
def pytest_load_initial_conftests(early_config: pytest.Config) -> None:
    """Nothing of the tests' is imported here, their ``conftest.py`` included."""
    if getattr(early_config.known_args_namespace, "formicary", False):
        early_config.known_args_namespace.noconftest = True


@pytest.hookimpl(tryfirst=True)
def pytest_pycollect_makemodule(module_path: pathlib.Path, parent: pytest.Collector) -> Optional[pytest.Collector]:
    """A file of tests becomes one that is run in the sandbox."""
    if not parent.config.getoption("--formicary"):
        return None
    found: pytest.Collector = SandboxedFile.from_parent(parent, path=module_path)
    return found


def pytest_report_header(config: pytest.Config) -> Optional[str]:
    """Says that the sandbox is used."""
    return "formicary: tests run in the sandbox" if config.getoption("--formicary") else None


class SandboxedFailure(Exception):
    """A test failed in the sandbox."""


class SandboxedFile(pytest.File):
    """A file whose tests are run in one sandbox, all together, when it is collected."""

    def collect(self) -> Iterator[pytest.Item]:
        """The tests with their outcomes."""
        facts, result = self._run()
        for node, fact in facts.items():
            name = node.split("::", 1)[1] if "::" in node else node
            yield SandboxedItem.from_parent(self, name=name, fact=fact, result=result)

    def _run(self) -> Tuple[Dict[str, Dict[str, Any]], Optional[ExecutionResult]]:
        config, root = self.config, str(self.config.rootpath)
        inside = f"{_GUEST}/{self.path.relative_to(root).as_posix()}"
        reporter = pathlib.Path(__file__).with_name("_pytest_reporter.py").read_text(encoding="utf-8")
        arguments = ["-q", "-p", "no:cacheprovider", "-p", "no:formicary", "-p", "_pytest_reporter"]
        arguments += ["--rootdir", _GUEST, *_selection(config), inside]
        try:
            result = client.execute(
                language="python",
                files={"main.py": _START, "_pytest_reporter.py": reporter},
                entry="main.py",
                args=arguments,
                mounts={root: _GUEST},
                venv=sys.prefix if sys.prefix != sys.base_prefix else None,
                network=bool(config.getoption("--formicary-network")),
                limits=Limits(
                    wall_seconds=config.getoption("--formicary-timeout"),
                    cpu_seconds=config.getoption("--formicary-timeout"),
                    memory_bytes=config.getoption("--formicary-memory") << 20,
                ),
                collect=[_REPORT],
            )
        except FormicaryError as error:
            raise self.CollectError(f"formicary: {error}") from None
        facts = _facts(result)
        if not facts and result.exit_code != 5:
            said = "\n".join(text for text in (result.error_message, result.stdout, result.stderr) if text)
            raise self.CollectError(f"formicary: the tests could not be run in the sandbox\n{said}")
        return facts, result


def _selection(config: pytest.Config) -> List[str]:
    chosen: List[str] = []
    for flag in ("-k", "-m"):
        value = config.getoption(flag)
        if value:
            chosen += [flag, str(value)]
    return chosen


def _facts(result: ExecutionResult) -> Dict[str, Dict[str, Any]]:
    facts: Dict[str, Dict[str, Any]] = {}
    lines = result.artifacts[0].text.splitlines() if result.artifacts else []
    for line in lines:
        try:
            fact = json.loads(line)
            facts[str(fact["node"])] = fact
        except (ValueError, KeyError, TypeError):
            # The tests can write into their own report: what is not a line of it is passed over.
            continue
    return facts


class SandboxedItem(pytest.Item):
    """One test: its outcome was found in the sandbox and is told here."""

    def __init__(self, *, fact: Dict[str, Any], result: Optional[ExecutionResult], **rest: Any) -> None:
        super().__init__(**rest)
        self.fact = fact
        self.result = result

    def runtest(self) -> None:
        """Tells the outcome."""
        for section in self.fact.get("sections") or []:
            self.add_report_section("call", str(section[0]).replace("Captured ", ""), str(section[1]))
        outcome, text = self.fact.get("outcome"), str(self.fact.get("text", ""))
        if outcome == "passed":
            return
        if outcome == "skipped":
            pytest.skip(text)
        if outcome == "xfailed":
            pytest.xfail(text)
        if outcome == "collected":
            why = "" if self.result is None else self.result.error_message or str(self.result.status)
            text = f"the run ended before this test did: {why}"
        raise SandboxedFailure(text)

    def repr_failure(self, excinfo: Any, style: Any = None) -> str:
        """What the test said in the sandbox."""
        return str(excinfo.value)

    def reportinfo(self) -> Tuple["os.PathLike[str]", Optional[int], str]:
        """Where it is."""
        return self.path, None, self.name
