"""Refactorings that are proven safe, or refused with the reason. Lines and columns count from 1."""

from __future__ import annotations

import os
from typing import Any, Dict, List, Optional, Sequence

from .. import _arguments as check
from .._arguments import PathLike
from .._default import client
from ..structure import RefactorReport
from .patterns import detect_refactorings

__all__ = ["detect_refactorings", "extract_function", "extract_variable", "inline", "rename", "undo"]


def rename(file: PathLike, line: int, column: int, name: str, *, write: bool = False, verify: Sequence[str] = ()) -> RefactorReport:
    """Gives the name at a place another name, in every file of the project that uses it."""
    return _refactor({"kind": "rename", "line": line, "column": column, "to": name}, file, write, verify)


def inline(file: PathLike, line: int, column: int, *, write: bool = False, verify: Sequence[str] = ()) -> RefactorReport:
    """Puts what a local variable stands for in its place."""
    return _refactor({"kind": "inline", "line": line, "column": column}, file, write, verify)


def extract_variable(
    file: PathLike,
    line: int,
    column: int,
    end_line: int,
    end_column: int,
    name: str,
    *,
    write: bool = False,
    verify: Sequence[str] = (),
) -> RefactorReport:
    """Gives an expression a name; the end is the place after its last character."""
    place = {"line": line, "column": column, "end_line": end_line, "end_column": end_column}
    return _refactor({"kind": "extract_variable", "name": name, **place}, file, write, verify)


def extract_function(
    file: PathLike, first: int, last: int, name: str, *, write: bool = False, verify: Sequence[str] = ()
) -> RefactorReport:
    """Makes a function of whole lines."""
    return _refactor({"kind": "extract_function", "first": first, "last": last, "name": name}, file, write, verify)


def undo(name: Optional[str] = None, *, folder: Optional[PathLike] = None) -> List[str]:
    """Takes back the last change that was written, or the one of this name; gives the files that were restored."""
    return client.undo(name, folder=folder)


def _refactor(refactoring: Dict[str, Any], file: PathLike, write: bool, verify: Sequence[str]) -> RefactorReport:
    named = os.path.abspath(check.path("file", file))
    return client.refactor({**refactoring, "file": named}, folder=os.path.dirname(named), write=write, verify=verify)
