"""What reviews give, under the names of the first documents."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Dict, FrozenSet, Iterable, Iterator, List, Optional, Sequence, Union

from .. import _arguments as check
from ..findings import Category, FileMetrics, Finding, Gate, HotSpot, Review, Severity
from ..results import _Words

SeverityLevel = Severity

__all__ = [
    "AnalysisType", "Language", "SeverityLevel", "AnalysisResult", "AnalysisSummary", "CodeMetrics",
    "ArchitectureViolation", "DeadCodeFinding", "ComplexityReductionSuggestion", "QualityGateResult",
]  # fmt: skip


class Language(_Words):
    """The languages that are analysed."""

    PYTHON = "python"
    JAVASCRIPT = "javascript"
    TYPESCRIPT = "typescript"
    JAVA = "java"
    C = "c"
    CPP = "cpp"
    GO = "go"
    RUST = "rust"
    BASH = "bash"


class AnalysisType(_Words):
    """What is looked for."""

    QUALITY = "quality"
    SECURITY = "security"
    PERFORMANCE = "performance"
    COMPLEXITY = "complexity"
    MAINTAINABILITY = "maintainability"
    ARCHITECTURE = "architecture"
    DEAD_CODE = "dead_code"
    DUPLICATION = "duplication"
    DOCUMENTATION = "documentation"
    LINT = "lint"

    @property
    def categories(self) -> FrozenSet[Category]:
        """The kinds of finding that belong to it."""
        return _CATEGORIES[self]


_CATEGORIES: Dict[AnalysisType, FrozenSet[Category]] = {
    AnalysisType.QUALITY: frozenset(set(Category) - {Category.SECURITY, Category.MALICIOUS}),
    AnalysisType.SECURITY: frozenset({Category.SECURITY, Category.MALICIOUS}),
    AnalysisType.PERFORMANCE: frozenset({Category.PERFORMANCE}),
    AnalysisType.COMPLEXITY: frozenset({Category.COMPLEXITY}),
    AnalysisType.MAINTAINABILITY: frozenset({Category.SMELL, Category.DUPLICATION, Category.COMPLEXITY}),
    AnalysisType.ARCHITECTURE: frozenset({Category.ARCHITECTURE}),
    AnalysisType.DEAD_CODE: frozenset({Category.DEAD_CODE}),
    AnalysisType.DUPLICATION: frozenset({Category.DUPLICATION}),
    AnalysisType.DOCUMENTATION: frozenset({Category.DOCUMENTATION}),
    AnalysisType.LINT: frozenset({Category.LINT}),
}

Types = Optional[Sequence[Union[str, AnalysisType]]]


def wanted(analysis_types: Types) -> FrozenSet[Category]:
    """The kinds of finding that are asked for; all where nothing is said."""
    if analysis_types is None:
        return frozenset(Category)
    known = [one.value for one in AnalysisType]
    categories: "set[Category]" = set()
    for word in check.words("analysis_types", analysis_types):
        if str(word) not in known:
            raise ValueError(f"analysis_types has {str(word)!r}; known: {', '.join(known)}")
        categories |= AnalysisType(word).categories
    return frozenset(categories)


@dataclass(frozen=True)
class AnalysisResult:
    """One finding, with its line and what to do."""

    file_path: str
    line_number: int
    column_number: int
    severity: SeverityLevel
    message: str
    rule_id: str
    category: Category
    suggestion: str
    why: str = ""
    cwe: Optional[int] = None
    confidence: str = "high"
    finding: Optional[Finding] = field(default=None, repr=False, compare=False)

    @classmethod
    def of(cls, finding: Finding) -> "AnalysisResult":
        """A finding under these names."""
        return cls(
            file_path=finding.file,
            line_number=finding.line,
            column_number=finding.span.start_column,
            severity=finding.severity,
            message=finding.message,
            rule_id=finding.rule,
            category=finding.category,
            suggestion=finding.suggestion,
            why=finding.why,
            cwe=finding.cwe,
            confidence=finding.confidence,
            finding=finding,
        )

    def __str__(self) -> str:
        return f"{self.file_path}:{self.line_number}: {self.severity}: {self.message} [{self.rule_id}]"


class AnalysisResults(List[AnalysisResult]):
    """A list of findings that knows which files were looked at, so that a report can be made of it."""

    def __init__(self, results: Iterable[AnalysisResult], root: str, paths: Sequence[str]) -> None:
        super().__init__(results)
        self.root = root
        self.paths = list(paths)


@dataclass(frozen=True)
class CodeMetrics:
    """What was measured of a file or a project."""

    lines_of_code: int
    logical_lines: int
    comment_lines: int
    comment_density: float
    blank_lines: int
    functions: int
    classes: int
    cyclomatic_complexity: int
    cognitive_complexity: int
    maintainability_index: float
    coupling: int
    lack_of_cohesion: int
    documentation: Optional[float] = None
    file_path: Optional[str] = None

    @classmethod
    def of(cls, files: Sequence[FileMetrics], file_path: Optional[str] = None) -> "CodeMetrics":
        """Several files together: sums, the worst class, and a mean weighted by lines."""
        classes = [one for file in files for one in file.classes]
        source = sum(file.lines.source for file in files)
        comment = sum(file.lines.comment for file in files)
        told = [file.documentation for file in files if file.documentation is not None]
        weighted = sum(file.maintainability * max(file.lines.source, 1) for file in files)
        weight = sum(max(file.lines.source, 1) for file in files)
        return cls(
            lines_of_code=source,
            logical_lines=sum(file.lines.logical for file in files),
            comment_lines=comment,
            comment_density=comment / (source + comment) if source + comment else 0.0,
            blank_lines=sum(file.lines.blank for file in files),
            functions=sum(len(file.functions) for file in files),
            classes=len(classes),
            cyclomatic_complexity=sum(file.cyclomatic for file in files),
            cognitive_complexity=sum(file.cognitive for file in files),
            maintainability_index=weighted / weight if weight else 100.0,
            coupling=max((one.coupling for one in classes), default=0),
            lack_of_cohesion=max((one.lack_of_cohesion for one in classes), default=0),
            documentation=sum(told) / len(told) if told else None,
            file_path=file_path,
        )


@dataclass(frozen=True)
class ArchitectureViolation:
    """An arrow between modules that should not be."""

    file_path: str
    line_number: int
    rule_id: str
    message: str
    suggestion: str
    severity: SeverityLevel


@dataclass(frozen=True)
class DeadCodeFinding:
    """Code that nothing needs or reaches."""

    file_path: str
    line_number: int
    end_line: int
    reason: str
    message: str
    suggestion: str
    severity: SeverityLevel
    symbol: Optional[str] = None


@dataclass(frozen=True)
class ComplexityReductionSuggestion:
    """A function that is hard to follow, and what to do about it."""

    file_path: str
    line_number: int
    function_name: str
    current_complexity: int
    cognitive_complexity: int
    suggestion: str


@dataclass(frozen=True)
class QualityGateResult:
    """Whether a project meets its thresholds, and which it does not."""

    passed: bool
    gate: Gate = field(repr=False)
    score: float = 0.0

    @property
    def failures(self) -> List[str]:
        """What is not met, with the measured value and where it is worst."""
        return [
            f"{one.metric} is {one.actual:g}, {'at most' if one.comparator == 'at_most' else 'at least'} {one.threshold:g} is asked"
            + (f" ({one.place})" if one.place else "")
            for one in self.gate.checks
            if not one.passed
        ]

    def __bool__(self) -> bool:
        return self.passed


@dataclass(frozen=True)
class AnalysisSummary:
    """A project's review."""

    project_root: str
    total_issues: int
    by_severity: Dict[str, int]
    by_category: Dict[str, int]
    files_analyzed: int
    metrics: CodeMetrics
    score: float
    grade: str
    hot_spots: List[HotSpot]
    results: AnalysisResults = field(repr=False)
    review: Review = field(repr=False)

    def __iter__(self) -> Iterator[AnalysisResult]:
        return iter(self.results)

    def _repr_html_(self) -> str:
        return self.review._repr_html_()
