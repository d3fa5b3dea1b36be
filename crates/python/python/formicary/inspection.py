"""What was seen in a running program."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Dict, Iterator, List, Optional

from .diagnosis import StackFrame
from .results import ExecutionResult, _Words

__all__ = ["StopReason", "Evaluated", "OtherThread", "Stop", "Breakpoint", "InspectReport"]


class StopReason(_Words):
    """Why a program stands still."""

    BREAKPOINT = "breakpoint"
    STEP = "step"
    EXCEPTION = "exception"
    SIGNAL = "signal"


@dataclass(frozen=True)
class Evaluated:
    """An expression with what it gave, or why it gave nothing."""

    expression: str
    type: str = ""
    value: str = ""
    error: Optional[str] = None


@dataclass(frozen=True)
class OtherThread:
    """A thread (a goroutine, with Go) that stands beside the one that stopped."""

    name: str
    at: StackFrame


@dataclass(frozen=True)
class Stop:
    """A program that stands still."""

    reason: StopReason
    frames: List[StackFrame] = field(repr=False)
    text: str = ""
    values: List[Evaluated] = field(default_factory=list)
    others: List[OtherThread] = field(default_factory=list)

    @property
    def frame(self) -> Optional[StackFrame]:
        """The innermost call in the program's own code."""
        return next((one for one in self.frames if one.own), self.frames[0] if self.frames else None)

    @property
    def line(self) -> Optional[int]:
        """Where it stands."""
        return None if self.frame is None else self.frame.line

    @property
    def variables(self) -> Dict[str, str]:
        """The variables there, as text."""
        return {} if self.frame is None else {one["name"]: one.get("value", "") for one in self.frame.variables}

    def __getitem__(self, expression: str) -> str:
        """What an expression gave that was asked for."""
        for one in self.values:
            if one.expression == expression:
                if one.error is not None:
                    raise ValueError(f"{expression}: {one.error}")
                return one.value
        raise KeyError(expression)


@dataclass(frozen=True)
class Breakpoint:
    """A place that was asked for, and the line at which the program really stops."""

    file: Optional[str] = None
    line: Optional[int] = None
    function: Optional[str] = None
    condition: Optional[str] = None
    log: Optional[str] = None
    placed_at: Optional[int] = None


@dataclass(frozen=True)
class InspectReport:
    """The stops, in order; ``exit_code`` is ``None`` where the program was ended at its last allowed stop."""

    language: str
    breakpoints: List[Breakpoint]
    stops: List[Stop]
    output: str
    run: ExecutionResult = field(repr=False)
    logs: List[str] = field(default_factory=list)
    exit_code: Optional[int] = None
    debugger: str = ""
    notes: List[str] = field(default_factory=list)

    def __iter__(self) -> Iterator[Stop]:
        return iter(self.stops)

    def __getitem__(self, index: int) -> Stop:
        return self.stops[index]

    def __len__(self) -> int:
        return len(self.stops)
