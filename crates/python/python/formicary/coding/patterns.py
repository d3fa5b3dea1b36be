"""Code by its shape: search, copies, rewriting."""

from __future__ import annotations

import os
from typing import List, Optional, Sequence, Tuple

from .. import _arguments as check
from .._arguments import PathLike
from .._default import client
from ..structure import CloneGroup, Match, Refactoring, RewriteReport
from ._snippets import language_of, snippet

__all__ = ["PatternMatcher", "CloneDetector", "ASTTransformer", "detect_refactorings"]


def _place(path: PathLike) -> Tuple[str, str]:
    named = os.path.abspath(check.path("path", path))
    return named, named if os.path.isdir(named) else os.path.dirname(named)


class PatternMatcher:
    """Finds code by a pattern with metavariables.

    >>> found = PatternMatcher("print($X)", "python").search_code("print(1)\\nprint(2, 3)\\n")
    >>> [(one.line, one.captures["X"].text) for one in found]
    [(1, '1')]
    """

    def __init__(self, pattern: Optional[str] = None, language: Optional[str] = None, rules: Sequence[str] = ()) -> None:
        self.pattern = check.optional_text("pattern", pattern)
        self.language = check.optional_text("language", language)
        self.rules = check.words("rules", rules)
        if (self.pattern is None) == (not self.rules):
            raise ValueError("give a pattern or rules, one of the two")

    def search(self, path: PathLike) -> List[Match]:
        """The places in a file or a folder."""
        named, folder = _place(path)
        return client.search(
            self.pattern, [named], folder=folder, language=self.language, rules=self.rules
        ).matches

    def search_code(self, code: str) -> List[Match]:
        """The places in some code."""
        language = self.language or language_of(code, "auto")
        with snippet(code, language) as path:
            return self.search(path)


class CloneDetector:
    """Finds copies of code: exact, renamed, edited and functional ones, in groups with places and similarity."""

    def __init__(
        self, types: Sequence[str] = (), min_lines: Optional[int] = None, similarity: Optional[float] = None
    ) -> None:
        self.types = check.words("types", types)
        self.min_lines = min_lines
        self.similarity = similarity

    def detect(self, path: PathLike) -> List[CloneGroup]:
        """The groups in a file or a folder."""
        named, folder = _place(path)
        report = client.clones([named], folder=folder, types=self.types, lines=self.min_lines, similarity=self.similarity)
        return report.groups


class ASTTransformer:
    """Changes code by a pattern; what would no longer parse is left alone.

    >>> ASTTransformer("assert_($X)", "assert $X", "python").transform("assert_(a == b)\\n")
    'assert a == b\\n'
    """

    def __init__(self, pattern: str, replacement: str, language: Optional[str] = None) -> None:
        self.pattern = check.text("pattern", pattern)
        self.replacement = check.text("replacement", replacement)
        self.language = check.optional_text("language", language)

    def transform(self, code: str) -> str:
        """Some code, changed."""
        language = self.language or language_of(code, "auto")
        with snippet(code, language) as path:
            self.apply(path, write=True)
            with open(path, encoding="utf-8", newline="") as file:
                return file.read()

    def preview(self, path: PathLike) -> RewriteReport:
        """What would change, as diffs. Nothing is written."""
        return self.apply(path)

    def apply(self, path: PathLike, write: bool = False) -> RewriteReport:
        """Changes a file or a folder where ``write`` says so; ``formicary.undo`` takes it back."""
        named, folder = _place(path)
        return client.rewrite(
            self.pattern, self.replacement, [named], folder=folder, language=self.language, write=write
        )


def detect_refactorings(before: PathLike, after: PathLike) -> List[Refactoring]:
    """What leads from one version of a file or folder to another."""
    earlier, later = check.path("before", before), check.path("after", after)
    return client.refactorings(os.path.abspath(earlier), os.path.abspath(later)).refactorings
