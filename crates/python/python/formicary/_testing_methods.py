"""The part of the client that is about tests."""

from __future__ import annotations

import os
from typing import Any, Dict, List, Mapping, Optional, Sequence

from . import _arguments as check
from ._arguments import Content, PathLike
from ._native import Channel
from ._wire import build
from .testing import GenerationReport, MutationReport, TestReport


class TestingMethods:
    """Running tests, writing them, judging them."""

    __test__ = False

    _channel: Channel

    def run_tests(
        self,
        target: Optional[PathLike] = None,
        *,
        files: Optional[Mapping[str, Content]] = None,
        framework: Optional[str] = None,
        only: Sequence[str] = (),
        filter: Optional[str] = None,
        arguments: Sequence[str] = (),
        coverage: bool = False,
        test_timeout: Optional[float] = None,
        timeout: float = 280.0,
        folder: Optional[PathLike] = None,
        packages: Sequence[str] = (),
        venv: Optional[PathLike] = None,
        provider: Optional[str] = None,
    ) -> TestReport:
        """Runs the tests of a folder, of one file of it, or of ``files`` in the sandbox, and tells how each ended.

        The framework (pytest, unittest, node, jest, vitest, go, cargo, junit, ctest) is recognised. Failing tests are a report.
        """
        asked: Dict[str, Any] = {
            **_place(target, files, folder, packages, venv, provider),
            "framework": check.optional_text("framework", framework),
            "only": check.words("only", only),
            "filter": check.optional_text("filter", filter),
            "args": check.words("arguments", arguments),
            "coverage": bool(coverage),
            "test_seconds": None if test_timeout is None else check.within("test_timeout", test_timeout, 0.1, 300),
            "seconds": check.within("timeout", timeout, 0.1, 300),
        }
        report = self._channel.call("tests.run", asked)
        return build(TestReport, {**report, "junit": self._channel.call("junit", report)})

    def generate_tests(
        self,
        target: Optional[PathLike] = None,
        *,
        files: Optional[Mapping[str, Content]] = None,
        only: Sequence[str] = (),
        functions: Sequence[str] = (),
        style: str = "pytest",
        seconds: float = 15.0,
        folder: Optional[PathLike] = None,
        packages: Sequence[str] = (),
        venv: Optional[PathLike] = None,
        provider: Optional[str] = None,
    ) -> GenerationReport:
        """Writes tests for Python code by trying what it does, without a model. Nothing is written to the tree.

        ``only`` names files of the project, ``functions`` functions, classes or ``Class.method``; ``seconds`` are for each file.
        The tests state what the code does today: read them before you trust them.
        """
        if check.text("style", style) not in ("pytest", "unittest"):
            raise ValueError(f"style must be pytest or unittest, not {style!r}")
        asked = {
            **_place(target, files, folder, packages, venv, provider),
            "only": check.words("only", only),
            "functions": check.words("functions", functions),
            "seconds": check.within("seconds", seconds, 1, 160),
            "style": style,
        }
        return build(GenerationReport, self._channel.call("tests.generate", asked))

    def mutate(
        self,
        target: Optional[PathLike] = None,
        *,
        files: Optional[Mapping[str, Content]] = None,
        only: Sequence[str] = (),
        functions: Sequence[str] = (),
        tests: Sequence[str] = (),
        filter: Optional[str] = None,
        framework: Optional[str] = None,
        seconds: float = 120.0,
        most: int = 400,
        folder: Optional[PathLike] = None,
        packages: Sequence[str] = (),
        venv: Optional[PathLike] = None,
        provider: Optional[str] = None,
    ) -> MutationReport:
        """Tells how well Python tests notice changes, by changing the program in small ways and running them.

        ``only`` names the files to change, ``functions`` the functions in them, ``tests`` the files of tests that judge;
        ``most`` are the mutants of one file.
        """
        asked: Dict[str, Any] = {
            **_place(target, files, folder, packages, venv, provider),
            "only": check.words("only", only),
            "functions": check.words("functions", functions),
            "tests": check.words("tests", tests),
            "filter": check.optional_text("filter", filter),
            "framework": check.optional_text("framework", framework),
            "seconds": check.within("seconds", seconds, 1, 160),
            "most": check.number("most", most, whole=True),
        }
        return build(MutationReport, self._channel.call("tests.mutate", asked))


def _place(
    target: Optional[PathLike],
    files: Optional[Mapping[str, Content]],
    folder: Optional[PathLike],
    packages: Sequence[str],
    venv: Optional[PathLike],
    provider: Optional[str],
) -> Dict[str, Any]:
    if target is not None and files is not None:
        raise ValueError("target and files were both given; give one of the two")
    asked: Dict[str, Any] = {"folder": None if folder is None else check.path("folder", folder)}
    if target is not None:
        asked["paths"] = [check.path("target", target)]
    if files is not None:
        if not files:
            raise ValueError("no files were given; leave files out for the project where you stand")
        asked["files"] = check.files("files", files)
    wanted: List[str] = check.words("packages", packages)
    if wanted:
        asked["packages"] = {"requirements": wanted}
    if venv is not None:
        base = "" if folder is None else check.path("folder", folder)
        asked["venv"] = os.path.abspath(os.path.join(base, check.path("venv", venv)))
    if provider is not None:
        asked["provider"] = check.text("provider", provider)
    return asked
