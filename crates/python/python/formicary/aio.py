"""Formicary beside an event loop: every method of ``Formicary`` that waits, as a coroutine. Cancelling the task ends the work.

>>> import asyncio
>>> from formicary.aio import AsyncFormicary
>>> async def main() -> str:
...     async with AsyncFormicary() as engine:
...         return (await engine.execute("print(6 * 7)", "python")).stdout
>>> asyncio.run(main())
'42\\n'
"""

from __future__ import annotations

import asyncio
import functools
from typing import TYPE_CHECKING, Any, AsyncIterator, Callable, Coroutine, Mapping, Optional, TypeVar

from ._arguments import Content
from ._native import beside
from ._scoped import AsyncScoped
from .client import Formicary, Run
from .results import Event, ExecutionResult
from .sessions import Session

if TYPE_CHECKING:
    from typing_extensions import Concatenate, ParamSpec, Unpack

    from ._requests import RunOptions

    P = ParamSpec("P")

__all__ = ["AsyncFormicary", "AsyncRun", "AsyncSession"]

T = TypeVar("T")


def _waiting(method: Callable[Concatenate[Formicary, P], T]) -> Callable[Concatenate[AsyncFormicary, P], Coroutine[Any, Any, T]]:
    """A method of ``Formicary``, waited for."""

    @functools.wraps(method)
    async def waited(self: AsyncFormicary, /, *arguments: P.args, **named: P.kwargs) -> T:
        return await beside(lambda: method(self.blocking, *arguments, **named))

    return waited


class AsyncRun(AsyncScoped):
    """A run whose events come one by one: ``async with engine.stream(…) as run: async for event in run: …``."""

    def __init__(self, run: Run) -> None:
        self._run = run

    async def __aiter__(self) -> AsyncIterator[Event]:
        while True:
            event = await asyncio.to_thread(next, self._run, None)
            if event is None:
                return
            yield event

    async def result(self) -> ExecutionResult:
        """How it ended; reads on to the end where that has not come yet."""
        return await asyncio.to_thread(lambda: self._run.result)

    async def close(self) -> None:
        """Ends the run; nothing of it is left."""
        await asyncio.to_thread(self._run.close)

    async def _leave(self) -> None:
        await self.close()


def _cell(method: Callable[Concatenate[Session, P], T]) -> Callable[Concatenate[AsyncSession, P], Coroutine[Any, Any, T]]:
    """A method of ``Session``, waited for."""

    @functools.wraps(method)
    async def waited(self: AsyncSession, /, *arguments: P.args, **named: P.kwargs) -> T:
        return await beside(lambda: method(self.blocking, *arguments, **named))

    return waited


class AsyncSession(AsyncScoped):
    """A session of this process; it ends with its ``async with`` block."""

    def __init__(self, session: Session) -> None:
        self.blocking = session
        self.id = session.id
        self.language = session.language
        self.keeps_state = session.keeps_state

    run = _cell(Session.run)
    files = _cell(Session.files)
    put = _cell(Session.put)
    get = _cell(Session.get)
    remove = _cell(Session.remove)
    interrupt = _cell(Session.interrupt)
    reset = _cell(Session.reset)
    close = _cell(Session.close)

    async def _leave(self) -> None:
        await self.close()

    def __repr__(self) -> str:
        return f"<Async{repr(self.blocking)[1:]}"


class AsyncFormicary(AsyncScoped):
    """Formicary with its settings, for programs with an event loop. ``blocking`` is the same for those without."""

    def __init__(self, settings: Optional[Mapping[str, str]] = None) -> None:
        self.blocking = Formicary(settings)

    execute = _waiting(Formicary.execute)
    warm_up = _waiting(Formicary.warm_up)
    judge = _waiting(Formicary.judge)
    review = _waiting(Formicary.review)
    review_fix = _waiting(Formicary.review_fix)
    write_baseline = _waiting(Formicary.write_baseline)
    rules = _waiting(Formicary.rules)
    search = _waiting(Formicary.search)
    rewrite = _waiting(Formicary.rewrite)
    undo = _waiting(Formicary.undo)
    clones = _waiting(Formicary.clones)
    refactorings = _waiting(Formicary.refactorings)
    refactor = _waiting(Formicary.refactor)
    symbols = _waiting(Formicary.symbols)
    calls = _waiting(Formicary.calls)
    dependencies = _waiting(Formicary.dependencies)
    diagnose = _waiting(Formicary.diagnose)
    diagnose_text = _waiting(Formicary.diagnose_text)
    inspect = _waiting(Formicary.inspect)
    fix = _waiting(Formicary.fix)
    run_tests = _waiting(Formicary.run_tests)
    generate_tests = _waiting(Formicary.generate_tests)
    mutate = _waiting(Formicary.mutate)
    agent = _waiting(Formicary.agent)
    agent_resume = _waiting(Formicary.agent_resume)
    agent_replay = _waiting(Formicary.agent_replay)
    agent_runs = _waiting(Formicary.agent_runs)
    agent_transcript = _waiting(Formicary.agent_transcript)
    languages = _waiting(Formicary.languages)
    detect = _waiting(Formicary.detect)
    doctor = _waiting(Formicary.doctor)
    images = _waiting(Formicary.images)
    pull_image = _waiting(Formicary.pull_image)
    build_image = _waiting(Formicary.build_image)
    prune_images = _waiting(Formicary.prune_images)
    cache = _waiting(Formicary.cache)
    prune_cache = _waiting(Formicary.prune_cache)
    config = _waiting(Formicary.config)
    audit = _waiting(Formicary.audit)
    verify_audit = _waiting(Formicary.verify_audit)
    close = _waiting(Formicary.close)
    _session = _waiting(Formicary.session)

    async def session(self, language: str = "python", **options: Any) -> AsyncSession:
        """A sandbox that lives on between cells; the options are those of ``Formicary.session``."""
        return AsyncSession(await self._session(language, **options))

    def stream(
        self, code: Optional[Content] = None, language: Optional[str] = None, **options: Unpack[RunOptions]
    ) -> AsyncRun:
        """Starts a run whose output comes as it is written."""
        return AsyncRun(self.blocking.stream(code, language, **options))

    async def _leave(self) -> None:
        await self.close()
