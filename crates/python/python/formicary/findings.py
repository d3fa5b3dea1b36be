"""What a review found and measured."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, Dict, Iterator, List, Optional

from ._wire import table
from .results import _Words

__all__ = [
    "Severity", "Category", "Span", "Finding", "FileMetrics", "FunctionMetrics", "ProjectMetrics", "LineCounts",
    "HotSpot", "CategoryScore", "Score", "GateCheck", "Gate", "Note", "Review", "AppliedFixes",
]  # fmt: skip


class Severity(_Words):
    """How bad it is if the finding is right."""

    INFO = "info"
    LOW = "low"
    MEDIUM = "medium"
    HIGH = "high"
    CRITICAL = "critical"

    @property
    def rank(self) -> int:
        """0 for the mildest."""
        return list(Severity).index(self)


class Category(_Words):
    """What kind of trouble it is."""

    SECURITY = "security"
    MALICIOUS = "malicious"
    LINT = "lint"
    DEAD_CODE = "dead_code"
    PERFORMANCE = "performance"
    COMPLEXITY = "complexity"
    SMELL = "smell"
    ARCHITECTURE = "architecture"
    DUPLICATION = "duplication"
    DOCUMENTATION = "documentation"


@dataclass(frozen=True)
class Span:
    """A place in a file: lines and columns from 1, bytes from 0."""

    start_line: int
    start_column: int
    end_line: int
    end_column: int
    start_byte: int = 0
    end_byte: int = 0


@dataclass(frozen=True)
class Finding:
    """One thing that is wrong: where, how bad, why it matters, what to do."""

    rule: str
    message: str
    severity: Severity
    confidence: str
    category: Category
    file: str
    span: Span
    why: str = ""
    suggestion: str = ""
    cwe: Optional[int] = None
    symbol: Optional[str] = None
    fingerprint: str = field(default="", repr=False)
    fix: Optional[Dict[str, Any]] = field(default=None, repr=False)
    tool: Optional[str] = None
    standing: str = "unknown"
    suppression: Optional[Dict[str, Any]] = None

    @property
    def line(self) -> int:
        """Its first line."""
        return self.span.start_line

    def __str__(self) -> str:
        return f"{self.file}:{self.line}: {self.severity}: {self.message} [{self.rule}]"


@dataclass(frozen=True)
class LineCounts:
    """Lines of a text."""

    physical: int = 0
    source: int = 0
    logical: int = 0
    comment: int = 0
    blank: int = 0

    @property
    def comment_density(self) -> float:
        """Comment lines per line of code and comment, 0 to 1."""
        lines = self.source + self.comment
        return self.comment / lines if lines else 0.0


@dataclass(frozen=True)
class FunctionMetrics:
    """One function or method."""

    name: str
    span: Span
    lines: LineCounts
    cyclomatic: int
    cognitive: int
    nesting: int
    parameters: int
    exits: int
    maintainability: float
    documented: bool


@dataclass(frozen=True)
class ClassMetrics:
    """One class."""

    name: str
    span: Span
    methods: int
    fields: int
    coupling: int
    lack_of_cohesion: int
    inheritance_depth: int


@dataclass(frozen=True)
class FileMetrics:
    """One file."""

    file: str
    language: str
    lines: LineCounts
    cyclomatic: int
    cognitive: int
    maintainability: float
    functions: List[FunctionMetrics]
    classes: List[ClassMetrics]
    parsed: bool
    halstead: Dict[str, int] = field(default_factory=dict)
    documentation: Optional[float] = None


@dataclass(frozen=True)
class ProjectMetrics:
    """A whole project."""

    files: int
    lines: LineCounts
    functions: int
    classes: int
    cyclomatic_mean: float
    cyclomatic_max: int
    cognitive_mean: float
    cognitive_max: int
    nesting_max: int
    maintainability_mean: float
    maintainability_min: float
    cycles: int
    duplication: float = 0.0
    documentation: Optional[float] = None


@dataclass(frozen=True)
class HotSpot:
    """One of the worst places."""

    file: str
    line: int
    heat: float
    reason: str
    symbol: Optional[str] = None


@dataclass(frozen=True)
class CategoryScore:
    """One category's score, 0 to 100."""

    category: Category
    score: float
    grade: str
    findings: int


@dataclass(frozen=True)
class Score:
    """The score, 0 to 100, and how it comes about."""

    total: float
    grade: str
    categories: List[CategoryScore]
    hot_spots: List[HotSpot]


@dataclass(frozen=True)
class GateCheck:
    """One condition and how it came out."""

    metric: str
    comparator: str
    threshold: float
    actual: float
    passed: bool
    place: Optional[str] = None


@dataclass(frozen=True)
class Gate:
    """All conditions together."""

    passed: bool
    checks: List[GateCheck]

    def __bool__(self) -> bool:
        return self.passed


@dataclass(frozen=True)
class Note:
    """Something that a reader must know of the review itself."""

    kind: str
    message: str
    file: Optional[str] = None
    line: Optional[int] = None


@dataclass(frozen=True)
class Review:
    """A review of a project.

    >>> import formicary, pathlib, tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     _ = pathlib.Path(folder, "a.py").write_text("import os\\nos.system(input())\\n")
    ...     review = formicary.review(folder)
    >>> [finding.rule for finding in review if finding.category == "security"]
    ['command-injection']
    """

    root: str
    findings: List[Finding]
    project: ProjectMetrics
    files: List[FileMetrics]
    score: Score
    gate: Gate
    notes: List[Note]
    debt_minutes: int
    movement: Optional[float] = None
    history: List[Dict[str, Any]] = field(default_factory=list)
    change: Optional[Dict[str, Any]] = None
    dependencies: List[Dict[str, Any]] = field(default_factory=list, repr=False)
    text: Optional[str] = field(default=None, repr=False)

    @property
    def open(self) -> List[Finding]:
        """The findings that nobody allowed."""
        return [finding for finding in self.findings if finding.suppression is None]

    def __iter__(self) -> Iterator[Finding]:
        return iter(self.open)

    def __len__(self) -> int:
        return len(self.open)

    def __bool__(self) -> bool:
        return True

    def __repr__(self) -> str:
        return f"<Review score={self.score.total:.1f} grade={self.score.grade} findings={len(self)}>"

    def _repr_html_(self) -> str:
        worst = sorted(self.open, key=lambda finding: -finding.severity.rank)[:20]
        rows: List["tuple[str, object]"] = [("score", f"{self.score.total:.1f} ({self.score.grade})")]
        rows += [(f"{finding.file}:{finding.line}", f"{finding.severity}: {finding.message}") for finding in worst]
        return table(f"{len(self)} findings", rows)


@dataclass(frozen=True)
class AppliedFixes:
    """Findings that were mended, those that could not be, and the files that changed."""

    applied: int
    left: int
    files: List[str]
