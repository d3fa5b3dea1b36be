"""Programs judged against test cases."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, Dict, Iterator, List, Optional

from .results import Usage, _Words

__all__ = ["Verdict", "CaseResult", "JudgeResult", "JudgeReport"]


class Verdict(_Words):
    """What a judge says of a program, or of one case."""

    ACCEPTED = "accepted"
    WRONG_ANSWER = "wrong_answer"
    PRESENTATION_ERROR = "presentation_error"
    TIME_LIMIT = "time_limit"
    MEMORY_LIMIT = "memory_limit"
    OUTPUT_LIMIT = "output_limit"
    RUNTIME_ERROR = "runtime_error"
    COMPILE_ERROR = "compile_error"


@dataclass(frozen=True)
class CaseResult:
    """What came of one case."""

    name: str
    verdict: Verdict
    duration: float
    usage: Usage
    exit_code: Optional[int] = None
    signal: Optional[int] = None
    message: Optional[str] = None


@dataclass(frozen=True)
class JudgeResult:
    """What came of one program; ``verdict`` is ``None`` where it could not be judged, and ``error`` says why."""

    id: str
    line: int
    verdict: Optional[Verdict]
    passed: int
    total: int
    cases: List[CaseResult]
    group: Optional[str] = None
    language: Optional[str] = None
    error: Optional[Dict[str, Any]] = None


@dataclass(frozen=True)
class JudgeReport:
    """All results, in the order of the items.

    >>> import formicary
    >>> report = formicary.judge([{"language": "python", "code": "print(int(input()) * 2)",
    ...                            "cases": [{"stdin": "2", "expected": "4"}, {"stdin": "3", "expected": "7"}]}])
    >>> report[0].verdict, report[0].passed, report.all_accepted
    (<Verdict.WRONG_ANSWER: 'wrong_answer'>, 1, False)
    """

    results: List[JudgeResult]
    summary: Dict[str, Any] = field(default_factory=dict)

    @property
    def all_accepted(self) -> bool:
        """Whether every program was judged and accepted."""
        return all(result.verdict is Verdict.ACCEPTED for result in self.results)

    def __iter__(self) -> Iterator[JudgeResult]:
        return iter(self.results)

    def __getitem__(self, index: int) -> JudgeResult:
        return self.results[index]

    def __len__(self) -> int:
        return len(self.results)
