"""Tests of any framework in one form; tests that were written; how well tests notice changes."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Dict, Iterator, List, Optional

from .results import Enforcement, Status, _Words

__all__ = [
    "TestStatus", "TestPlace", "TestResult", "TestTotals", "FileCoverage", "TestReport", "MutantStatus", "Mutant",
    "MutationReport", "GeneratedTests", "GenerationReport",
]  # fmt: skip


class TestStatus(_Words):
    """How one test ended."""

    __test__ = False

    PASSED = "passed"
    FAILED = "failed"
    ERRORED = "errored"
    SKIPPED = "skipped"
    TIMED_OUT = "timed_out"
    CRASHED = "crashed"


@dataclass(frozen=True)
class TestPlace:
    """A place in a file of the project."""

    __test__ = False

    file: str
    line: int

    def __str__(self) -> str:
        return f"{self.file}:{self.line}"


@dataclass(frozen=True)
class TestResult:
    """One test and how it ended."""

    __test__ = False

    name: str
    suite: str
    status: TestStatus
    seconds: Optional[float] = None
    message: Optional[str] = None
    place: Optional[TestPlace] = None
    output: str = field(default="", repr=False)

    @property
    def passed(self) -> bool:
        """Whether it ended as it should."""
        return self.status is TestStatus.PASSED


@dataclass(frozen=True)
class TestTotals:
    """How many tests ended how."""

    __test__ = False

    tests: int
    passed: int
    failed: int
    errored: int
    skipped: int
    timed_out: int
    crashed: int


@dataclass(frozen=True)
class FileCoverage:
    """Which lines of a file were reached."""

    file: str
    lines: int
    covered: int
    missed: List[int]


@dataclass(frozen=True)
class TestReport:
    """One run of a project's tests; true where something ran and nothing is bad.

    >>> import formicary
    >>> tests = "import unittest\\nclass T(unittest.TestCase):\\n    def test_sum(self):\\n        self.assertEqual(1 + 1, 3)"
    >>> report = formicary.run_tests(files={"test_sum.py": tests})
    >>> bool(report), report.totals.failed, report.failures[0].name, report.failures[0].place.line
    (False, 1, 'test_sum', 4)
    """

    __test__ = False

    passed: bool
    framework: str
    chosen_because: str
    language: str
    status: Status
    run_id: str
    totals: TestTotals
    seconds: float
    tests: List[TestResult]
    output: str = field(repr=False)
    enforcement: Enforcement = field(repr=False)
    exit_code: Optional[int] = None
    coverage: List[FileCoverage] = field(default_factory=list)
    notes: List[str] = field(default_factory=list)
    junit: str = field(default="", repr=False)

    @property
    def failures(self) -> List[TestResult]:
        """The tests that neither passed nor were left out."""
        return [one for one in self.tests if one.status not in (TestStatus.PASSED, TestStatus.SKIPPED)]

    def __bool__(self) -> bool:
        return self.passed

    def __iter__(self) -> Iterator[TestResult]:
        return iter(self.tests)

    def __len__(self) -> int:
        return len(self.tests)


class MutantStatus(_Words):
    """How a mutant fared."""

    KILLED = "killed"
    TIMED_OUT = "timed_out"
    SURVIVED = "survived"
    NOT_COVERED = "not_covered"


@dataclass(frozen=True)
class Mutant:
    """One small change of the program, and whether the tests noticed it."""

    file: str
    line: int
    kind: str
    diff: str
    status: MutantStatus
    killed_by: Optional[str] = None


@dataclass(frozen=True)
class MutationReport:
    """How well tests notice changes: ``score`` is the share of mutants that they noticed."""

    score: float
    mutants: int
    killed: int
    timed_out: int
    survived: int
    not_covered: int
    not_judged: int
    survivors: List[Mutant]
    tests: int
    seconds: float
    enforcement: Enforcement = field(repr=False)
    notes: List[str] = field(default_factory=list)


@dataclass(frozen=True)
class GeneratedTests:
    """A file of tests that was written: what it reaches, and which changes it notices."""

    module: str
    file: str
    text: str = field(repr=False)
    tests: int
    properties: int
    functions: int
    lines: int
    covered: int
    mutants: int
    killed: int
    flaky: int
    notes: List[str] = field(default_factory=list)


@dataclass(frozen=True)
class GenerationReport:
    """What came of writing tests; true where there are some."""

    files: List[GeneratedTests]
    seconds: float
    enforcement: Enforcement = field(repr=False)

    @property
    def texts(self) -> Dict[str, str]:
        """The proposed files by their paths."""
        return {one.file: one.text for one in self.files if one.tests}

    def __bool__(self) -> bool:
        return any(one.tests for one in self.files)

    def __iter__(self) -> Iterator[GeneratedTests]:
        return iter(self.files)

    def __len__(self) -> int:
        return len(self.files)
