"""Why a program failed, and patches that mend it."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, Dict, List, Optional

from .findings import Span
from .results import ExecutionResult, Status, _Words

__all__ = [
    "ErrorPlace", "StackFrame", "Suggestion", "CauseStep", "Hang", "DiagnosedError", "Diagnosis", "Diagnosed", "FixStatus",
    "TestRun", "RankedPatch", "FixReport",
]  # fmt: skip


@dataclass(frozen=True)
class ErrorPlace:
    """Where an error shows, in the user's own code."""

    file: str
    line: int
    column: Optional[int] = None
    end_column: Optional[int] = None
    function: Optional[str] = None
    frame: List[Dict[str, Any]] = field(default_factory=list, repr=False)


@dataclass(frozen=True)
class StackFrame:
    """One call that was under way."""

    function: Optional[str] = None
    file: Optional[str] = None
    line: Optional[int] = None
    own: bool = False
    variables: List[Dict[str, str]] = field(default_factory=list)


@dataclass(frozen=True)
class SuggestedEdit:
    """An edit that a suggestion proposes."""

    file: str
    span: Span
    replacement: str


@dataclass(frozen=True)
class Suggestion:
    """Something to try."""

    text: str
    origin: str
    confidence: str
    edits: List[SuggestedEdit] = field(default_factory=list)

    def __str__(self) -> str:
        return self.text


@dataclass(frozen=True)
class CauseStep:
    """One step from a failing value back to where it came from."""

    file: str
    line: int
    expression: str
    role: str
    value: str = ""
    gap: bool = False

    def __str__(self) -> str:
        value = f" = {self.value}" if self.value and self.value != self.expression else ""
        return f"{self.file}:{self.line}: {self.expression}{value}"


@dataclass(frozen=True)
class Hang:
    """Where a program was that did not end, from several samples of its stacks."""

    kind: str
    file: str
    line: int
    end_line: Optional[int] = None
    function: Optional[str] = None
    expression: str = ""
    changing: List[Dict[str, str]] = field(default_factory=list)
    unchanged: List[Dict[str, str]] = field(default_factory=list)
    threads: List[Dict[str, Any]] = field(default_factory=list)


@dataclass(frozen=True)
class DiagnosedError:
    """One error of a run."""

    type: str
    message: str
    category: str
    root_cause: str
    confidence: str
    fingerprint: str = field(repr=False)
    language: Optional[str] = None
    place: Optional[ErrorPlace] = None
    stack: List[StackFrame] = field(default_factory=list, repr=False)
    suggestions: List[Suggestion] = field(default_factory=list)
    causes: List[Dict[str, Any]] = field(default_factory=list)
    chain: List[CauseStep] = field(default_factory=list)
    hang: Optional[Hang] = None

    def __str__(self) -> str:
        return self.root_cause


@dataclass(frozen=True)
class Diagnosis:
    """What is known of a failed run; the error that ended the program comes first."""

    errors: List[DiagnosedError]
    status: Optional[Status] = None
    language: Optional[str] = None
    warnings: List[DiagnosedError] = field(default_factory=list)
    notes: List[str] = field(default_factory=list)

    @property
    def main(self) -> Optional[DiagnosedError]:
        """The error that ended the program."""
        return self.errors[0] if self.errors else None

    def __bool__(self) -> bool:
        return bool(self.errors)


@dataclass(frozen=True)
class Diagnosed:
    """A run with what went wrong in it.

    >>> import formicary
    >>> found = formicary.diagnose("print(undefined_name)", "python")
    >>> found.diagnosis.main.type, found.diagnosis.main.place.line
    ('NameError', 1)
    """

    diagnosis: Diagnosis
    result: ExecutionResult


class FixStatus(_Words):
    """What came of an attempt to mend a program."""

    FIXED = "fixed"
    SUGGESTED = "suggested"
    NOT_FIXED = "not_fixed"
    NOTHING_WRONG = "nothing_wrong"


@dataclass(frozen=True)
class TestRun:
    """One run of the tests in a sandbox of its own."""

    __test__ = False

    run_id: str
    passed: bool
    status: Status
    exit_code: Optional[int]
    duration: float
    output: str


@dataclass(frozen=True)
class PatchedFile:
    """A file as a patch leaves it."""

    path: str
    text: str = field(repr=False)


@dataclass(frozen=True)
class Verified:
    """The tests before and after a patch."""

    verified: bool
    before: TestRun
    after: List[TestRun]
    flaky: bool
    regressions: List[str]


@dataclass(frozen=True)
class RankedPatch:
    """A patch with where it comes from and what it was put through."""

    rank: int
    diff: str
    origin: str
    explanation: str
    confidence: float
    files: List[PatchedFile]
    evidence: str = "candidate"
    caveats: List[str] = field(default_factory=list)
    verification: Optional[Verified] = None


@dataclass(frozen=True)
class FixReport:
    """The report of one attempt to mend a program."""

    status: FixStatus
    language: str
    command: List[str]
    baseline: TestRun
    patches: List[RankedPatch]
    candidates: int
    seconds: float
    suspects: List[Dict[str, Any]] = field(default_factory=list)
    notes: List[str] = field(default_factory=list)
    written: List[str] = field(default_factory=list)
    undo: Optional[str] = None

    def __bool__(self) -> bool:
        return self.status in (FixStatus.FIXED, FixStatus.NOTHING_WRONG)
