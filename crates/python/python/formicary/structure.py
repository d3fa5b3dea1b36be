"""What the structural engines say: places that match, changes, copies, what a change consists of."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, Dict, Iterator, List, Optional

from .findings import Severity, Span

__all__ = [
    "Match", "SearchReport", "FileChange", "RewriteReport", "ClonePlace", "CloneGroup", "CloneReport",
    "RefactoringPlace", "Refactoring", "RefactoringReport", "RefactorReport", "Symbol", "Reference", "Call", "Calls", "Dependency",
]  # fmt: skip


@dataclass(frozen=True)
class Captured:
    """What one metavariable took."""

    text: str
    span: Optional[Span] = None


@dataclass(frozen=True)
class Match:
    """One place that matches."""

    file: str
    language: str
    span: Span
    text: str
    severity: Severity
    captures: Dict[str, Captured]
    rule: str = ""
    message: str = ""

    @property
    def line(self) -> int:
        """Its first line."""
        return self.span.start_line


@dataclass(frozen=True)
class SkippedFile:
    """A file that was left out."""

    file: str
    why: str


@dataclass(frozen=True)
class SearchReport:
    """What a search found."""

    matches: List[Match]
    files: int
    skipped: List[SkippedFile]
    nearest: List[Dict[str, Any]] = field(default_factory=list)

    def __iter__(self) -> Iterator[Match]:
        return iter(self.matches)

    def __len__(self) -> int:
        return len(self.matches)


@dataclass(frozen=True)
class FileChange:
    """What a rewrite does to one file."""

    file: str
    places: int
    diff: str
    overlapping: int = 0


@dataclass(frozen=True)
class RewriteReport:
    """What a rewrite did, or would do."""

    changes: List[FileChange]
    left: List[SkippedFile]
    skipped: List[SkippedFile]
    written: bool
    undo: Optional[str] = None

    @property
    def diff(self) -> str:
        """The whole change as one unified diff."""
        return "".join(change.diff for change in self.changes)

    def __iter__(self) -> Iterator[FileChange]:
        return iter(self.changes)

    def __len__(self) -> int:
        return len(self.changes)


@dataclass(frozen=True)
class ClonePlace:
    """One place of a group of copies."""

    file: str
    language: str
    first_line: int
    last_line: int
    tokens: int
    name: Optional[str] = None
    differing_lines: List[int] = field(default_factory=list)


@dataclass(frozen=True)
class CloneGroup:
    """Places that say the same. ``kind`` is exact, renamed, edited or functional."""

    fingerprint: str
    kind: str
    level: str
    similarity: float
    places: List[ClonePlace]
    suggestion: Optional[str] = None
    known: bool = False


@dataclass(frozen=True)
class CloneReport:
    """Copies of code in a project."""

    groups: List[CloneGroup]
    files: int
    lines: int
    duplicated_lines: int
    duplication_percent: float
    inconsistent: List[Dict[str, Any]] = field(default_factory=list)
    notes: List[Dict[str, Any]] = field(default_factory=list)

    def __iter__(self) -> Iterator[CloneGroup]:
        return iter(self.groups)

    def __len__(self) -> int:
        return len(self.groups)


@dataclass(frozen=True)
class RefactoringPlace:
    """Where, before or after."""

    file: str
    first_line: int
    last_line: int
    name: str


@dataclass(frozen=True)
class Refactoring:
    """One refactoring that leads from one version to the other."""

    kind: str
    description: str
    before: RefactoringPlace
    after: RefactoringPlace
    confidence: float

    def __str__(self) -> str:
        return self.description


@dataclass(frozen=True)
class RefactoringReport:
    """What a change consists of."""

    refactorings: List[Refactoring]
    changed_lines: int
    explained_lines: int
    changed_files: int
    unexplained: List[Dict[str, Any]] = field(default_factory=list)
    notes: List[Dict[str, Any]] = field(default_factory=list)

    def __iter__(self) -> Iterator[Refactoring]:
        return iter(self.refactorings)

    def __len__(self) -> int:
        return len(self.refactorings)


@dataclass(frozen=True)
class RefactorReport:
    """What a refactoring did, or would do; ``undo`` is the name by which it can be taken back."""

    what: str
    changes: List[FileChange]
    written: bool
    notes: List[str] = field(default_factory=list)
    undo: Optional[str] = None
    verification: Optional[Dict[str, Any]] = None

    @property
    def diff(self) -> str:
        """The whole change as one unified diff."""
        return "".join(change.diff for change in self.changes)


@dataclass(frozen=True)
class Reference:
    """A place where a symbol is named; ``certain`` where scopes and imports prove it."""

    file: str
    span: Span
    within: str
    certain: bool


@dataclass(frozen=True)
class Symbol:
    """Something that is defined."""

    name: str
    path: str
    kind: str
    file: str
    language: str
    span: Span
    end_line: int
    signature: str
    references: int
    places: List[Reference] = field(default_factory=list, repr=False)

    @property
    def line(self) -> int:
        """Where its name stands."""
        return self.span.start_line


@dataclass(frozen=True)
class Call:
    """One function calls another."""

    caller: str
    callee: str
    file: str
    span: Span
    certain: bool
    callee_file: Optional[str] = None


@dataclass(frozen=True)
class Dependency:
    """A file that needs another, or a module that is not of the project."""

    from_file: str = field(metadata={"key": "from"})
    to: str
    internal: bool
    line: int


@dataclass(frozen=True)
class Calls:
    """The calls of a function: by others, and of others."""

    callers: List[Call]
    callees: List[Call]
