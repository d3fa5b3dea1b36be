"""Reviews of files and projects, gates, reports, the dashboard."""

from __future__ import annotations

import collections
import os
import pathlib
import tempfile
from dataclasses import dataclass, field
from typing import Any, Dict, List, Mapping, Optional, Sequence, Union

from .. import _arguments as check
from .._arguments import PathLike
from .._default import client
from .._wire import build
from ..findings import Category, HotSpot, Review
from .exceptions import CodeReviewError, ConfigurationError, PyscnError, ToolNotFoundError, reviewing
from .models import (
    AnalysisResult,
    AnalysisResults,
    AnalysisSummary,
    AnalysisType,
    ArchitectureViolation,
    CodeMetrics,
    ComplexityReductionSuggestion,
    DeadCodeFinding,
    Language,
    QualityGateResult,
    SeverityLevel,
    Types,
    wanted,
)

__all__ = [
    "AnalysisResult", "AnalysisSummary", "AnalysisType", "ArchitectureViolation", "CodeMetrics", "CodeReviewError",
    "CodeReviewer", "ComplexityReductionSuggestion", "ConfigurationError", "DeadCodeFinding", "Language",
    "PyscnAnalyzer", "PyscnError", "QualityDashboard", "QualityGateResult", "SeverityLevel", "ToolNotFoundError",
    "analyze_file", "analyze_project", "check_quality_gates", "generate_report",
]  # fmt: skip


class CodeReviewer:
    """Reviews a project or its files.

    ``CodeReviewer("./src").analyze_file("module.py")`` looks for the file below the project's folder.
    """

    def __init__(self, project_root: PathLike = ".", tools: Sequence[str] = ()) -> None:
        self.project_root = check.path("project_root", project_root)
        if not os.path.isdir(self.project_root):
            raise ConfigurationError(f"project_root {self.project_root} is not a folder", "name a folder that exists")
        self.tools = check.words("tools", tools)

    def review(self, paths: Sequence[PathLike] = (), **options: Any) -> Review:
        """The engine's own review."""
        with reviewing():
            return client.review(paths, folder=self.project_root, tools=self.tools, **options)

    def analyze_file(self, file_path: PathLike, analysis_types: Types = None) -> List[AnalysisResult]:
        """What is wrong with one file; each finding with its line and what to do."""
        categories = wanted(analysis_types)
        path = self._file(check.path("file_path", file_path))
        review = self.review([path])
        return _results(review, categories, self.project_root, [path])

    def analyze_project(
        self, target_paths: Optional[Sequence[PathLike]] = None, analysis_types: Types = None
    ) -> AnalysisSummary:
        """What is wrong with the project, or with parts of it, and what was measured."""
        categories = wanted(analysis_types)
        paths = [os.path.abspath(self._file(path)) for path in check.paths("target_paths", target_paths or ())]
        paths = paths or [os.path.abspath(self.project_root)]
        review = self.review(paths)
        results = _results(review, categories, self.project_root, paths)
        return AnalysisSummary(
            project_root=self.project_root,
            total_issues=len(results),
            by_severity=dict(collections.Counter(one.severity.value for one in results)),
            by_category=dict(collections.Counter(one.category.value for one in results)),
            files_analyzed=review.project.files,
            metrics=CodeMetrics.of(review.files),
            score=review.score.total,
            grade=review.score.grade,
            hot_spots=review.score.hot_spots,
            results=results,
            review=review,
        )

    def check_quality_gates(self, thresholds: Optional[Mapping[str, float]] = None) -> QualityGateResult:
        """Whether the project meets thresholds: the given ones, else its own, else the usual ones."""
        if thresholds is not None and not isinstance(thresholds, Mapping):
            raise check.wrong("thresholds", "a dict of numbers", thresholds)
        review = self.review([os.path.abspath(self.project_root)], gates=thresholds)
        return QualityGateResult(passed=review.gate.passed, gate=review.gate, score=review.score.total)

    def dead_code(self) -> List[DeadCodeFinding]:
        """Code that nothing needs or reaches."""
        return [
            DeadCodeFinding(
                one.file, one.line, one.span.end_line, one.rule, one.message, one.suggestion, one.severity, one.symbol
            )
            for one in self.review([os.path.abspath(self.project_root)])
            if one.category is Category.DEAD_CODE
        ]

    def architecture_violations(self) -> List[ArchitectureViolation]:
        """Arrows between modules that should not be: cycles, and layers that the project's settings forbid."""
        return [
            ArchitectureViolation(one.file, one.line, one.rule, one.message, one.suggestion, one.severity)
            for one in self.review([os.path.abspath(self.project_root)])
            if one.category is Category.ARCHITECTURE
        ]

    def complexity_suggestions(self, threshold: int = 10) -> List[ComplexityReductionSuggestion]:
        """Functions above a cyclomatic complexity, the worst first."""
        check.number("threshold", threshold, whole=True)
        review = self.review([os.path.abspath(self.project_root)])
        advice = {(one.file, one.line): one.suggestion for one in review if one.category is Category.COMPLEXITY}
        usual = "split it: give each branch or loop that stands for itself a function with a name of its own"
        found = [
            ComplexityReductionSuggestion(
                file_path=file.file,
                line_number=one.span.start_line,
                function_name=one.name,
                current_complexity=one.cyclomatic,
                cognitive_complexity=one.cognitive,
                suggestion=advice.get((file.file, one.span.start_line)) or usual,
            )
            for file in review.files
            for one in file.functions
            if one.cyclomatic > threshold
        ]
        return sorted(found, key=lambda one: -one.current_complexity)

    def _file(self, path: PathLike) -> str:
        below = os.path.join(self.project_root, path)
        found = below if os.path.exists(below) else os.fspath(path)
        if not os.path.exists(found):
            raise ConfigurationError(f"{os.fspath(path)} does not exist in {self.project_root}", "name a file that exists")
        return os.path.abspath(found)


def _results(
    review: Review, categories: "frozenset[Category]", root: str, paths: Sequence[str]
) -> AnalysisResults:
    chosen = (AnalysisResult.of(one) for one in review if one.category in categories)
    return AnalysisResults(chosen, root, paths)


def analyze_file(file_path: PathLike, analysis_types: Types = None) -> List[AnalysisResult]:
    """What is wrong with one file."""
    path = check.path("file_path", file_path)
    if not os.path.isfile(path):
        raise ConfigurationError(f"{path} is not a file", "name a file that exists")
    return CodeReviewer(os.path.dirname(os.path.abspath(path))).analyze_file(os.path.abspath(path), analysis_types)


def analyze_project(
    project_root: PathLike,
    target_paths: Optional[Sequence[PathLike]] = None,
    analysis_types: Types = None,
) -> AnalysisSummary:
    """What is wrong with a project, and what was measured of it."""
    return CodeReviewer(project_root).analyze_project(target_paths, analysis_types)


def check_quality_gates(
    project_root: PathLike, thresholds: Optional[Mapping[str, float]] = None
) -> QualityGateResult:
    """Whether a project meets thresholds, as in ``{"cyclomatic_max": 10, "findings.high": 0, "score": 75}``."""
    return CodeReviewer(project_root).check_quality_gates(thresholds)


_HISTORY = os.path.join(".formicary", "history.jsonl")
Reportable = Union[PathLike, AnalysisSummary, Sequence[AnalysisResult]]


def generate_report(
    subject: Optional[Reportable] = None,
    output_path: Optional[PathLike] = None,
    format: Optional[str] = None,
    *,
    project_root: Optional[PathLike] = None,
) -> Union[bool, str]:
    """Writes a report.

    Of a project's folder: ``generate_report("./src", "report.html")`` writes the file and gives ``True``. Of findings, or
    of a summary: gives the report's text, and writes it too where ``output_path`` says so. Forms: html, markdown, json,
    sarif, junit, csv, terminal; without one the path's ending tells it. ``project_root`` is another name for a folder.
    """
    if (subject is None) == (project_root is None):
        raise TypeError("generate_report() takes a subject or a project_root, one of the two")
    subject = project_root if subject is None else subject
    target = None if output_path is None else check.path("output_path", output_path)
    ending = os.path.splitext(target or "")[1].lstrip(".")
    if isinstance(subject, (str, os.PathLike)):
        reviewer = CodeReviewer(subject)
        form = check.optional_text("format", format) or ending or "html"
        text = reviewer.review([os.path.abspath(reviewer.project_root)], format=form).text
        if target is None:
            return text or ""
        _write(target, text or "")
        return True
    results = subject.results if isinstance(subject, AnalysisSummary) else subject
    if isinstance(results, (bytes, Mapping)) or not isinstance(results, Sequence):
        raise check.wrong("subject", "a folder, a summary or a list of AnalysisResult", subject)
    form = check.optional_text("format", format) or ending or "markdown"
    text = _report_of(results, form)
    if target is not None:
        _write(target, text)
    return text


def _report_of(results: Sequence[AnalysisResult], form: str) -> str:
    only: List[str] = []
    for index, one in enumerate(results):
        if not isinstance(one, AnalysisResult) or one.finding is None:
            raise check.wrong(f"subject[{index}]", "an AnalysisResult of a review", one)
        only.append(one.finding.fingerprint)
    with reviewing():
        if isinstance(results, AnalysisResults):
            return client.review(results.paths, folder=results.root, format=form, only=only).text or ""
        if only:
            message = "the findings do not tell their project"
            raise ConfigurationError(message, "give the list that analyze_file or analyze_project gave")
        with tempfile.TemporaryDirectory(prefix="formicary-") as folder:
            # A review wants something to look at; an empty file has nothing to be found.
            pathlib.Path(folder, "nothing.py").touch()
            return client.review([folder], folder=folder, format=form, only=[], cache=False).text or ""


def _write(path: str, text: str) -> None:
    try:
        pathlib.Path(path).write_bytes(text.encode("utf-8"))
    except OSError as error:
        raise ConfigurationError(f"{path}: {error.strerror}", "name a file that you may write") from error


class QualityDashboard:
    """Scores, grades, hot spots, the trend, and what is owed."""

    def __init__(self, project_root: PathLike = ".", record: bool = False) -> None:
        reviewer = CodeReviewer(project_root)
        self.review = reviewer.review(
            [os.path.abspath(reviewer.project_root)], format="html", record=record, history=_HISTORY
        )

    @property
    def score(self) -> float:
        """0 to 100."""
        return self.review.score.total

    @property
    def grade(self) -> str:
        """The score as a letter."""
        return self.review.score.grade

    @property
    def grades(self) -> Dict[str, str]:
        """The letter of each category."""
        return {one.category.value: one.grade for one in self.review.score.categories}

    @property
    def hot_spots(self) -> List[HotSpot]:
        """The worst places, hottest first."""
        return self.review.score.hot_spots

    @property
    def trend(self) -> List[Dict[str, Any]]:
        """Earlier reviews that were recorded, oldest first."""
        return self.review.history

    @property
    def debt_minutes(self) -> int:
        """What it takes to mend the open findings."""
        return self.review.debt_minutes

    def html(self) -> str:
        """The page, one self-contained file."""
        return self.review.text or ""

    def save(self, output_path: PathLike) -> None:
        """Writes the page."""
        _write(check.path("output_path", output_path), self.html())

    def _repr_html_(self) -> str:
        return self.review._repr_html_()


@dataclass(frozen=True)
class PyscnFunction:
    """One function."""

    name: str
    file: str
    start_line: int
    end_line: int
    complexity: int
    cognitive: int
    nesting: int


@dataclass(frozen=True)
class PyscnReport:
    """What pyscn tells of Python code; ``origin`` is ``pyscn``, or ``native`` where it is not installed."""

    origin: str
    functions: List[PyscnFunction]
    dead_code: List[Dict[str, Any]]
    classes: List[Dict[str, Any]]
    average_complexity: float
    health_score: float
    clones: List[Any] = field(default_factory=list)


class PyscnAnalyzer:
    """Python code as pyscn sees it: by pyscn itself, in the sandbox, where it is installed, else by our own analysis."""

    def analyze(self, path: PathLike = ".") -> PyscnReport:
        """A project's folder, or a file."""
        named = os.path.abspath(check.path("path", path))
        if not os.path.exists(named):
            raise PyscnError(f"{named} does not exist", "name a file or folder that exists")
        with reviewing(PyscnError):
            folder = named if os.path.isdir(named) else os.path.dirname(named)
            asked = {"folder": folder, "paths": [named]}
            return build(PyscnReport, client._channel.call("review.pyscn", asked))

    def analyze_complexity(self, path: PathLike = ".") -> List[PyscnFunction]:
        """The functions, the most complex first."""
        return sorted(self.analyze(path).functions, key=lambda one: -one.complexity)

    def detect_dead_code(self, path: PathLike = ".") -> List[Dict[str, Any]]:
        """Code that cannot be reached."""
        return self.analyze(path).dead_code
