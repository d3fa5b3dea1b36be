"""Sessions: a sandbox that lives on between cells, with its files and, for Python, JavaScript and Bash, its variables."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, Dict, List, Optional

from . import _arguments as check
from ._arguments import Content
from ._native import Channel
from ._scoped import Scoped
from ._wire import build, table, uncontent
from .results import Artifact, CompileResult, Enforcement, Status, Usage

__all__ = ["CellException", "CellResult", "SessionFile", "Session"]


@dataclass(frozen=True)
class CellException:
    """An exception that ended a cell."""

    type: str
    message: str
    traceback: str = field(repr=False)
    frames: List[Dict[str, Any]] = field(default_factory=list, repr=False)


@dataclass(frozen=True)
class CellResult:
    """What came of one cell. ``value`` and ``displays`` hold forms by MIME type, as notebooks have them."""

    session_id: str
    run_id: str
    execution_count: int
    language: str
    status: Status
    stdout: str
    stderr: str
    exit_code: Optional[int]
    duration: float
    usage: Usage
    state_lost: bool
    enforcement: Enforcement
    truncated: bool = False
    signal: Optional[int] = None
    value: Optional[Dict[str, str]] = None
    displays: List[Dict[str, str]] = field(default_factory=list)
    exception: Optional[CellException] = None
    compile: Optional[CompileResult] = None
    error_message: Optional[str] = None

    @property
    def success(self) -> bool:
        """Whether the cell ended well."""
        return self.status is Status.SUCCESS

    @property
    def text(self) -> Optional[str]:
        """The last expression's value as text."""
        return None if self.value is None else self.value.get("text/plain")

    def __repr__(self) -> str:
        return f"<CellResult [{self.execution_count}] {self.status} stdout={self.stdout[:60]!r} value={self.text!r}>"

    def _repr_html_(self) -> str:
        rows: List["tuple[str, object]"] = [("stdout", self.stdout), ("value", self.text or "")]
        if self.exception is not None:
            rows.append(("exception", self.exception.traceback))
        return table(f"cell {self.execution_count}: {self.status}", rows)


@dataclass(frozen=True)
class SessionFile:
    """A file in a session's working folder."""

    path: str
    size: int
    executable: bool


class Session(Scoped):
    """A session of this process; it ends with its ``with`` block.

    >>> import formicary
    >>> with formicary.session("python") as session:
    ...     _ = session.run("x = 20")
    ...     session.run("x + 1").text
    '21'
    """

    def __init__(self, channel: Channel, request: Dict[str, Any]) -> None:
        self._channel = channel
        info = channel.call("session.create", request)
        self.id: str = info["id"]
        self.language: str = info["language"]
        self.keeps_state: bool = info["keeps_state"]
        self._closed = False

    def run(self, code: Content, *, timeout: Optional[float] = None, stdin: Content = "") -> CellResult:
        """Runs one cell. Ctrl-C interrupts it and leaves the session as it is."""
        return build(CellResult, self._channel.call("session.run", self._cell(code, timeout, stdin)))

    async def run_async(self, code: Content, *, timeout: Optional[float] = None, stdin: Content = "") -> CellResult:
        """The same beside an event loop."""
        return build(CellResult, await self._channel.call_async("session.run", self._cell(code, timeout, stdin)))

    def _cell(self, code: Content, timeout: Optional[float], stdin: Content) -> Dict[str, Any]:
        cell: Dict[str, Any] = {"code": uncontent(check.content("code", code))}
        if timeout is not None:
            cell["wall_seconds"] = check.number("timeout", timeout)
        if stdin:
            cell["stdin"] = uncontent(check.content("stdin", stdin))
        return {"id": self.id, **cell}

    def files(self) -> List[SessionFile]:
        """The files in its working folder."""
        return [build(SessionFile, one) for one in self._channel.call("session.files", {"id": self.id})["items"]]

    def put(self, path: str, content: Content) -> None:
        """Puts a file into its working folder."""
        named = check.files("files", {check.text("path", path): content})
        self._channel.call("session.put", {"id": self.id, "files": named})

    def get(self, path: str) -> Artifact:
        """Takes a file out of its working folder."""
        request = {"id": self.id, "path": check.text("path", path)}
        return build(Artifact, self._channel.call("session.get", request))

    def remove(self, *paths: str) -> None:
        """Removes files from its working folder."""
        self._channel.call("session.remove", {"id": self.id, "paths": check.words("paths", paths)})

    def interrupt(self) -> bool:
        """Interrupts the cell that runs, as from another thread; whether there was one. State is kept."""
        return bool(self._channel.call("session.interrupt", {"id": self.id})["interrupted"])

    def reset(self) -> None:
        """A fresh interpreter; files stay."""
        self._channel.call("session.reset", {"id": self.id})

    def close(self) -> None:
        """Ends it; its files are gone."""
        if not self._closed:
            self._closed = True
            self._channel.call("session.close", {"id": self.id})

    def _leave(self) -> None:
        self.close()

    def __repr__(self) -> str:
        return f"<Session {self.id} {self.language}{' closed' if self._closed else ''}>"
