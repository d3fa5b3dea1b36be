"""Checks of what callers give: a wrong type is a TypeError that names the argument."""

from __future__ import annotations

import math
import os
from typing import Any, Dict, List, Mapping, Optional, Sequence, Union

from ._wire import uncontent

PathLike = Union[str, "os.PathLike[str]"]
Content = Union[str, bytes]


def wrong(name: str, wanted: str, value: object) -> TypeError:
    return TypeError(f"{name} must be {wanted}, not {type(value).__name__}")


def text(name: str, value: object) -> str:
    if not isinstance(value, str):
        raise wrong(name, "str", value)
    return value


def optional_text(name: str, value: object) -> Optional[str]:
    return None if value is None else text(name, value)


def content(name: str, value: object) -> Content:
    if not isinstance(value, (str, bytes)):
        raise wrong(name, "str or bytes", value)
    return value


def number(name: str, value: object, *, whole: bool = False) -> float:
    if isinstance(value, bool) or not isinstance(value, int if whole else (int, float)):
        raise wrong(name, "int" if whole else "a number", value)
    if not math.isfinite(value):
        raise ValueError(f"{name} must be finite, not {value}")
    if whole and value < 0:
        raise ValueError(f"{name} must not be negative, not {value}")
    return value


def within(name: str, value: object, least: float, most: float) -> float:
    if not least <= number(name, value) <= most:
        raise ValueError(f"{name} must lie between {least:g} and {most:g}, not {value}")
    return number(name, value)


def path(name: str, value: object) -> str:
    if not isinstance(value, (str, os.PathLike)):
        raise wrong(name, "str or a path", value)
    found = os.fspath(value)
    if not isinstance(found, str):
        raise wrong(name, "str or a path", found)
    return found


def words(name: str, value: object) -> List[str]:
    if isinstance(value, (str, bytes)) or not isinstance(value, Sequence):
        raise wrong(name, "a list of str", value)
    return [text(f"{name}[{index}]", one) for index, one in enumerate(value)]


def paths(name: str, value: object) -> List[str]:
    if isinstance(value, (str, os.PathLike)):
        return [path(name, value)]
    if isinstance(value, bytes) or not isinstance(value, Sequence):
        raise wrong(name, "a path or a list of paths", value)
    return [path(f"{name}[{index}]", one) for index, one in enumerate(value)]


def pairs(name: str, value: object) -> Dict[str, str]:
    if not isinstance(value, Mapping):
        raise wrong(name, "a dict of str", value)
    return {text(f"a key of {name}", key): text(f"{name}[{key!r}]", one) for key, one in value.items()}


def files(name: str, value: object) -> List[Dict[str, Any]]:
    """Files by their paths, as the wire has them."""
    if not isinstance(value, Mapping):
        raise wrong(name, "a dict of path to content", value)
    return [
        {"path": text(f"a key of {name}", key), "content": uncontent(content(f"{name}[{key!r}]", one))}
        for key, one in value.items()
    ]
