"""What comes of a run."""

from __future__ import annotations

import enum
from dataclasses import dataclass, field
from typing import Any, Dict, List, Optional

from ._wire import content, table

__all__ = [
    "Status",
    "Level",
    "Phase",
    "Usage",
    "Enforcement",
    "OutputCounts",
    "CompileResult",
    "Violation",
    "Artifact",
    "SkippedArtifact",
    "ExecutionResult",
    "Event",
]


class _Words(str, enum.Enum):
    """An enumeration whose members are their words on the wire."""

    def __str__(self) -> str:
        return str(self.value)


class Status(_Words):
    """How a program ended."""

    SUCCESS = "success"
    COMPILE_ERROR = "compile_error"
    NONZERO_EXIT = "nonzero_exit"
    SIGNALED = "signaled"
    TIMEOUT = "timeout"
    CPU_LIMIT = "cpu_limit"
    MEMORY_LIMIT = "memory_limit"
    PROCESS_LIMIT = "process_limit"
    DISK_LIMIT = "disk_limit"
    OUTPUT_LIMIT = "output_limit"
    DENIED = "denied"


class Level(_Words):
    """How much protection held; each includes those before it."""

    NONE = "none"
    LIMITED = "limited"
    ISOLATED = "isolated"
    FULL = "full"


class Phase(_Words):
    """A part of a run."""

    INSTALL = "install"
    COMPILE = "compile"
    RUN = "run"


@dataclass(frozen=True)
class Usage:
    """What a run used; ``None`` where this host cannot measure it."""

    cpu_user: float = 0.0
    cpu_system: float = 0.0
    memory_peak: Optional[int] = None
    io_read: Optional[int] = None
    io_write: Optional[int] = None
    processes_peak: Optional[int] = None

    @property
    def cpu(self) -> float:
        """CPU seconds in all."""
        return self.cpu_user + self.cpu_system


@dataclass(frozen=True)
class Enforcement:
    """Which protections held, and by what."""

    provider: str = ""
    level: Level = Level.NONE
    protections: Dict[str, Any] = field(default_factory=dict)


@dataclass(frozen=True)
class OutputCounts:
    """How much a program wrote, whatever was kept of it."""

    stdout_bytes: int = 0
    stderr_bytes: int = 0
    stdout_omitted: int = 0
    stderr_omitted: int = 0


@dataclass(frozen=True)
class CompileResult:
    """What the compile step said."""

    status: Status
    stdout: str = ""
    stderr: str = ""
    exit_code: Optional[int] = None
    duration: float = 0.0
    usage: Usage = Usage()
    cached: bool = False


@dataclass(frozen=True)
class Violation:
    """Something that the program tried and was refused."""

    kind: str
    what: str
    count: int


@dataclass(frozen=True)
class Artifact:
    """A file that was brought back."""

    path: str
    size: int
    content: bytes = field(repr=False)
    executable: bool = False

    @property
    def text(self) -> str:
        """Its bytes as text."""
        return self.content.decode("utf-8", "replace")


@dataclass(frozen=True)
class SkippedArtifact:
    """A file that was asked for and left where it was."""

    path: str
    why: str


@dataclass(frozen=True)
class ExecutionResult:
    """The result of one run.

    >>> import formicary
    >>> result = formicary.execute("print(6 * 7)", "python")
    >>> result
    <ExecutionResult python success exit_code=0 stdout='42\\n'>
    >>> result.success, result.stdout
    (True, '42\\n')
    """

    run_id: str
    language: str
    status: Status
    stdout: str
    stderr: str
    exit_code: Optional[int]
    signal: Optional[int]
    duration: float
    usage: Usage
    truncated: bool
    output: OutputCounts
    enforcement: Enforcement
    violations: List[Violation] = field(default_factory=list)
    artifacts: List[Artifact] = field(default_factory=list)
    skipped_artifacts: List[SkippedArtifact] = field(default_factory=list)
    compile: Optional[CompileResult] = None
    stdout_base64: Optional[str] = field(default=None, repr=False)
    stderr_base64: Optional[str] = field(default=None, repr=False)
    error_message: Optional[str] = None

    @property
    def success(self) -> bool:
        """Whether the program ended with exit code 0."""
        return self.status is Status.SUCCESS

    @property
    def stdout_bytes(self) -> bytes:
        """Standard output, byte for byte."""
        return content(self.stdout if self.stdout_base64 is None else {"base64": self.stdout_base64})

    @property
    def stderr_bytes(self) -> bytes:
        """Standard error, byte for byte."""
        return content(self.stderr if self.stderr_base64 is None else {"base64": self.stderr_base64})

    def check(self) -> "ExecutionResult":
        """This result; raises where the program failed."""
        if not self.success:
            raise RuntimeError(self.error_message or f"the program ended with {self.status}")
        return self

    def __repr__(self) -> str:
        shown = self.stdout if len(self.stdout) <= 60 else self.stdout[:57] + "..."
        return f"<ExecutionResult {self.language} {self.status} exit_code={self.exit_code} stdout={shown!r}>"

    def _repr_html_(self) -> str:
        memory = self.usage.memory_peak
        rows: List["tuple[str, object]"] = [
            ("status", self.status),
            ("exit code", self.exit_code),
            ("duration", f"{self.duration:.3f} s"),
            ("memory", "not measured" if memory is None else f"{memory / 2**20:.1f} MiB"),
            ("protection", f"{self.enforcement.level} by {self.enforcement.provider}"),
            ("stdout", self.stdout),
        ]
        if self.stderr:
            rows.append(("stderr", self.stderr))
        if self.error_message:
            rows.append(("error", self.error_message))
        return table(f"{self.language} run", rows)


@dataclass(frozen=True)
class Event:
    """Something that happened in a run: ``accepted``, ``phase_started``, ``output``, ``sample``, ``phase_finished``, …"""

    kind: str
    run_id: str
    at_ms: int
    stream: Optional[str] = None
    data: Optional[bytes] = None
    details: Dict[str, Any] = field(default_factory=dict, repr=False)

    @property
    def text(self) -> str:
        """Output as text; empty for other events."""
        return "" if self.data is None else self.data.decode("utf-8", "replace")

    @classmethod
    def read(cls, told: Dict[str, Any]) -> "Event":
        """An event from the wire."""
        data = told.get("data")
        return cls(
            kind=str(told["event"]),
            run_id=str(told.get("run_id", "")),
            at_ms=int(told.get("at_ms", 0)),
            stream=told.get("stream"),
            data=None if data is None else content(data),
            details=told,
        )
