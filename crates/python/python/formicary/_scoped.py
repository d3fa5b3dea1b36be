"""Things that end with their ``with`` block."""

from __future__ import annotations

from types import TracebackType
from typing import Optional, Type, TypeVar

_S = TypeVar("_S", bound="Scoped")
_A = TypeVar("_A", bound="AsyncScoped")


class Scoped:
    """What ends with a ``with`` block."""

    def __enter__(self: _S) -> _S:
        return self

    def __exit__(
        self,
        kind: Optional[Type[BaseException]],
        error: Optional[BaseException],
        trace: Optional[TracebackType],
    ) -> None:
        self._leave()

    def _leave(self) -> None:
        raise NotImplementedError


class AsyncScoped:
    """What ends with an ``async with`` block."""

    async def __aenter__(self: _A) -> _A:
        return self

    async def __aexit__(
        self,
        kind: Optional[Type[BaseException]],
        error: Optional[BaseException],
        trace: Optional[TracebackType],
    ) -> None:
        await self._leave()

    async def _leave(self) -> None:
        raise NotImplementedError
