"""What a run may use."""

from __future__ import annotations

import contextlib
import contextvars
import dataclasses
import json
from dataclasses import dataclass
from typing import Any, Dict, Iterator, Optional

from ._arguments import number
from ._formicary import NativeFailure, check_limits
from .errors import raise_native

__all__ = ["Limits", "limited"]


@dataclass(frozen=True)
class Limits:
    """Limits that differ from the configured ones; ``None`` leaves a limit as it is.

    >>> from formicary import Limits
    >>> Limits(wall_seconds=5, memory_bytes=64 << 20)
    Limits(wall_seconds=5, memory_bytes=67108864)
    >>> Limits(wall_seconds=-1)
    Traceback (most recent call last):
    formicary.errors.InvalidInput: limit wall_seconds is -1 s, outside 0.1 s to 300 s (set wall_seconds between 0.1 and 300)
    """

    wall_seconds: Optional[float] = None
    cpu_seconds: Optional[float] = None
    memory_bytes: Optional[int] = None
    cores: Optional[float] = None
    processes: Optional[int] = None
    disk_bytes: Optional[int] = None
    disk_inodes: Optional[int] = None
    open_files: Optional[int] = None
    file_size_bytes: Optional[int] = None
    output_bytes: Optional[int] = None
    output_total_bytes: Optional[int] = None

    def __post_init__(self) -> None:
        for field in dataclasses.fields(self):
            value = getattr(self, field.name)
            if value is not None:
                whole = field.name not in ("wall_seconds", "cpu_seconds", "cores")
                number(field.name, value, whole=whole)
        try:
            check_limits(json.dumps(self.wire()))
        except NativeFailure as failure:
            raise_native(failure)

    def wire(self) -> Dict[str, Any]:
        """The limits that are set, by name."""
        return {name: value for name, value in vars(self).items() if value is not None}

    def over(self, others: "Limits") -> "Limits":
        """These limits, and where they are silent, the others."""
        return Limits(**{**others.wire(), **self.wire()})

    def __repr__(self) -> str:
        return f"Limits({', '.join(f'{name}={value!r}' for name, value in self.wire().items())})"


_within: "contextvars.ContextVar[Limits]" = contextvars.ContextVar("formicary_limits")


@contextlib.contextmanager
def limited(limits: Limits) -> Iterator[Limits]:
    """Runs that are started inside have these limits, unless they bring their own. What runs outside is not touched.

    >>> import formicary
    >>> with formicary.limited(formicary.Limits(wall_seconds=0.5)):
    ...     print(formicary.execute("import time; time.sleep(9)", "python").status)
    timeout
    """
    if not isinstance(limits, Limits):
        raise TypeError(f"limits must be Limits, not {type(limits).__name__}")
    token = _within.set(limits.over(_within.get(Limits())))
    try:
        yield limits
    finally:
        _within.reset(token)


def in_force(own: Optional[Limits]) -> Dict[str, Any]:
    """What a run asks for: its own limits over those around it."""
    around = _within.get(None)
    if around is None:
        return {} if own is None else own.wire()
    return around.wire() if own is None else own.over(around).wire()
