"""The engine of a process: made when first needed, made anew after a fork, ended with the interpreter."""

from __future__ import annotations

import asyncio
import atexit
import contextvars
import json
import os
import threading
import weakref
from typing import Any, Callable, Dict, Iterator, List, Mapping, Optional, Tuple, TypeVar

from ._formicary import Cancellation, Engine, NativeFailure, Stream
from .errors import raise_native

_channels: "weakref.WeakSet[Channel]" = weakref.WeakSet()
# The switch of whoever waits for this thread's work beside an event loop.
_switch: "contextvars.ContextVar[Optional[Cancellation]]" = contextvars.ContextVar("formicary_switch", default=None)
T = TypeVar("T")


async def beside(work: Callable[[], T]) -> T:
    """Work on a thread beside an event loop; cancelling the task calls it off, and is done when nothing is left."""
    switch = Cancellation()
    before = _switch.set(switch)
    try:
        running = asyncio.ensure_future(asyncio.to_thread(work))
    finally:
        _switch.reset(before)
    try:
        return await asyncio.shield(running)
    except asyncio.CancelledError:
        switch.cancel()
        await asyncio.wait([running], timeout=10)
        if running.done() and not running.cancelled():
            running.exception()
        raise


class Channel:
    """The way to one configured engine."""

    def __init__(self, settings: Mapping[str, str]) -> None:
        self._settings: List[Tuple[str, str]] = list(settings.items())
        self._engine: Optional[Engine] = None
        self._lock = threading.Lock()
        self._calls: Dict[Cancellation, None] = {}
        self._closed = False
        _channels.add(self)

    def engine(self) -> Engine:
        engine = self._engine
        if engine is not None:
            return engine
        with self._lock:
            if self._closed:
                raise ValueError("this Formicary was closed; make a new one")
            if self._engine is None:
                try:
                    self._engine = Engine(self._settings)
                except NativeFailure as failure:
                    raise_native(failure)
            return self._engine

    def call(self, operation: str, request: object = None) -> Any:
        """One use-case; Ctrl-C calls it off and leaves nothing."""
        switch = _switch.get() or Cancellation()
        self._calls[switch] = None
        try:
            return json.loads(self.engine().call(operation, dump(request), switch))
        except NativeFailure as failure:
            raise_native(failure)
        finally:
            self._calls.pop(switch, None)

    def agent(
        self,
        operation: str,
        request: object,
        ask: Optional[Callable[[str], object]],
        watch: Optional[Callable[[str], object]],
    ) -> Any:
        """A use case of the agent; both functions are called on this thread."""
        switch = _switch.get() or Cancellation()
        self._calls[switch] = None
        try:
            return json.loads(self.engine().agent(operation, dump(request), switch, ask, watch))
        except NativeFailure as failure:
            raise_native(failure)
        finally:
            self._calls.pop(switch, None)

    async def call_async(self, operation: str, request: object = None) -> Any:
        """The same beside an event loop."""
        return await beside(lambda: self.call(operation, request))

    def stream(self, request: object) -> Stream:
        try:
            return self.engine().stream(dump(request))
        except NativeFailure as failure:
            raise_native(failure)

    def close(self) -> None:
        with self._lock:
            self._closed = True
            engine, self._engine = self._engine, None
        if engine is not None:
            engine.close()

    def end(self) -> None:
        """The interpreter ends: what runs is called off, so that nothing waits for it."""
        for switch in list(self._calls):
            switch.cancel()

    def forked(self) -> None:
        """In the child: locks may be held by threads that are not there, and the engine is the parent's."""
        self._lock = threading.Lock()
        self._calls = {}
        self._engine = None


def dump(request: object) -> str:
    """JSON; lone surrogates would not survive, so they are refused by name."""
    text = json.dumps(request, ensure_ascii=False, allow_nan=False)
    try:
        text.encode("utf-8")
    except UnicodeEncodeError as error:
        raise ValueError(f"text with a lone surrogate cannot be sent: {error.reason}") from None
    return text


def events(stream: Stream) -> Iterator[Any]:
    """What a stream tells, read."""
    while True:
        try:
            text = next(stream)
        except StopIteration:
            return
        except NativeFailure as failure:
            raise_native(failure)
        yield json.loads(text)


def _end() -> None:
    for channel in list(_channels):
        channel.end()


def _forked() -> None:
    for channel in list(_channels):
        channel.forked()


atexit.register(_end)
if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_forked)
