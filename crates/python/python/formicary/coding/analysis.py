"""Static analysis of code that is given as text or as a path."""

from __future__ import annotations

import os
from typing import Dict, List

from .. import _arguments as check
from .._arguments import PathLike
from .._default import client
from ..findings import FileMetrics, Review
from ._snippets import snippet
from .exceptions import reviewing
from .models import AnalysisResult, AnalysisType, CodeMetrics, Types, wanted

__all__ = ["StaticAnalyzer", "SecurityScanner", "MetricCollector"]


def _of_path(path: PathLike) -> Review:
    named = os.path.abspath(check.path("path", path))
    folder = named if os.path.isdir(named) else os.path.dirname(named)
    with reviewing():
        return client.review([named], folder=folder)


def _of_code(code: str, language: str) -> Review:
    with reviewing(), snippet(code, language) as path:
        return client.review([path], folder=path.parent, cache=False)


class StaticAnalyzer:
    """Lint, complexity, dead code, performance and the rest, for all languages, with no tool to install.

    >>> found = StaticAnalyzer(["lint"]).analyze_code("def f(a=[]):\\n    return a\\n")
    >>> [(one.rule_id, one.line_number) for one in found]
    [('mutable-default', 1)]
    """

    def __init__(self, analysis_types: Types = None) -> None:
        self.categories = wanted(analysis_types)

    def analyze(self, path: PathLike) -> List[AnalysisResult]:
        """What is wrong with a file or a folder."""
        return self._chosen(_of_path(path))

    def analyze_code(self, code: str, language: str = "python") -> List[AnalysisResult]:
        """What is wrong with some code."""
        return self._chosen(_of_code(code, language))

    def complexity(self, code: str, language: str = "python") -> Dict[str, int]:
        """The cyclomatic complexity of each function of some code."""
        return {one.name: one.cyclomatic for file in _of_code(code, language).files for one in file.functions}

    def _chosen(self, review: Review) -> List[AnalysisResult]:
        return [AnalysisResult.of(one) for one in review if one.category in self.categories]


class SecurityScanner(StaticAnalyzer):
    """Holes and malicious code, with their CWE numbers.

    >>> found = SecurityScanner().scan_code("import os\\nos.system(input())\\n")
    >>> [(one.cwe, one.line_number) for one in found]
    [(78, 2)]
    """

    def __init__(self) -> None:
        super().__init__([AnalysisType.SECURITY])

    def scan(self, path: PathLike) -> List[AnalysisResult]:
        """Holes of a file or a folder."""
        return self.analyze(path)

    def scan_code(self, code: str, language: str = "python") -> List[AnalysisResult]:
        """Holes of some code."""
        return self.analyze_code(code, language)


class MetricCollector:
    """Counts and measures code.

    >>> MetricCollector().collect_code("# one\\ndef f(x):\\n    return x if x else 0\\n").cyclomatic_complexity
    2
    """

    def collect(self, path: PathLike) -> CodeMetrics:
        """A file's or a folder's figures."""
        return CodeMetrics.of(_of_path(path).files, os.fspath(path))

    def collect_code(self, code: str, language: str = "python") -> CodeMetrics:
        """Some code's figures."""
        return CodeMetrics.of(_of_code(code, language).files)

    def by_file(self, path: PathLike) -> Dict[str, FileMetrics]:
        """Each file's figures, its functions and classes among them."""
        return {one.file: one for one in _of_path(path).files}
