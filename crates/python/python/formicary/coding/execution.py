"""Running code: one call, one dictionary, never an exception."""

from __future__ import annotations

import re
import threading
from typing import Any, Dict, FrozenSet, Optional

from .. import _arguments as check
from .._default import client
from .._formicary import languages as _languages
from ..errors import FormicaryError, InvalidInput
from ..limits import Limits, in_force
from ..results import ExecutionResult, Status
from ..sessions import Session
from .sandbox import SandboxEnvironment

__all__ = [
    "ExecutionResult",
    "SUPPORTED_LANGUAGES",
    "DEFAULT_TIMEOUT",
    "MIN_TIMEOUT",
    "MAX_TIMEOUT",
    "execute_code",
    "validate_language",
    "validate_session_id",
    "validate_timeout",
    "CodeExecutor",
]

SUPPORTED_LANGUAGES: FrozenSet[str] = frozenset(row[0] for row in _languages())
"""The identifiers of the built-in languages."""

DEFAULT_TIMEOUT, MIN_TIMEOUT, MAX_TIMEOUT = 30, 1, 300

_WORDS = {word for identifier, aliases, _ in _languages() for word in (identifier, *aliases)}
_SESSION_ID = re.compile(r"[A-Za-z0-9][A-Za-z0-9_-]{0,63}")
_sessions: Dict[str, Session] = {}
_opening = threading.Lock()
_AUTOMATIC = ("", "auto")


def validate_language(language: str) -> bool:
    """Whether a language, or another word for it, is supported.

    >>> validate_language("python"), validate_language("c++"), validate_language("klingon")
    (True, True, False)
    """
    return check.text("language", language).lower() in _WORDS


def validate_session_id(session_id: Optional[str]) -> Optional[str]:
    """The session id, or ``None`` where it is not one: at most 64 letters, digits, ``_`` and ``-``,
    a letter or a digit first.

    >>> validate_session_id("run-1"), validate_session_id("../etc")
    ('run-1', None)
    """
    if session_id is None:
        return None
    return session_id if _SESSION_ID.fullmatch(check.text("session_id", session_id)) else None


def validate_timeout(timeout: Optional[float]) -> float:
    """Seconds between 1 and 300: the default 30 where none are given, the nearest bound where they lie outside.

    >>> validate_timeout(None), validate_timeout(0), validate_timeout(5), validate_timeout(1000)
    (30, 1, 5, 300)
    """
    if timeout is None:
        return DEFAULT_TIMEOUT
    return max(MIN_TIMEOUT, min(MAX_TIMEOUT, check.number("timeout", timeout)))


def execute_code(
    language: str,
    code: str,
    stdin: Optional[str] = None,
    timeout: Optional[float] = None,
    session_id: Optional[str] = None,
) -> Dict[str, Any]:
    """Runs code in a sandbox without a network. Never raises but for Ctrl-C: what is wrong stands in the answer.

    ``status`` is ``success``, ``timeout``, ``execution_error`` or ``setup_error``; ``verdict`` is the finer word
    (``memory_limit``, ``compile_error``, …). ``exit_code`` is the program's, the negated signal where one ended it, and
    -1 where there is none. ``language`` may be ``"auto"``. With a ``session_id`` files and variables stay for the next
    call with the same one. Without a ``timeout`` the configured one holds (30 seconds), or that of the
    ``resource_limits_context`` around the call.

    >>> execute_code("python", "import sys; sys.exit(3)")["exit_code"]
    3
    >>> execute_code("klingon", "Qapla'")["status"]
    'setup_error'
    """
    try:
        check.text("language", language)
        check.text("code", code)
        check.optional_text("stdin", stdin)
        # What is not given is what is configured, or what a context around this call says.
        seconds = None if timeout is None else validate_timeout(timeout)
        if session_id is not None:
            if validate_session_id(session_id) is None:
                raise InvalidInput(
                    f"session_id {session_id[:80]!r} is not valid", "at most 64 letters, digits, '_' and '-', a letter or a digit first"
                )
            around = in_force(None).get("wall_seconds")
            return _in_session(language, code, stdin or "", around if seconds is None else seconds, session_id)
        chosen = None if language in _AUTOMATIC else language
        return as_dictionary(client.execute(code, chosen, stdin=stdin or "", timeout=seconds))
    except (FormicaryError, TypeError, ValueError) as error:
        return _refused(error)


def _in_session(language: str, code: str, stdin: str, seconds: Optional[float], session_id: str) -> Dict[str, Any]:
    chosen = client.detect(code) or language if language in _AUTOMATIC else language
    with _opening:
        session = _sessions.get(session_id)
        if session is None or not _lives(session):
            limits = None if seconds is None else Limits(wall_seconds=seconds)
            session = client.session(chosen, id=session_id, limits=limits)
            _sessions[session_id] = session
    if not _same(session.language, chosen):
        raise InvalidInput(
            f"session {session_id} runs {session.language}, not {chosen}", "use another session_id for this language"
        )
    if stdin and session.keeps_state:
        raise InvalidInput(
            f"stdin cannot be given to the live session {session_id}", "write it to a file in the session, or leave out session_id"
        )
    cell = session.run(code, timeout=seconds, stdin=stdin)
    stderr = cell.stderr if cell.exception is None else cell.stderr + cell.exception.traceback
    if cell.compile is not None and cell.status is Status.COMPILE_ERROR:
        stderr = cell.compile.stderr or cell.compile.stdout
    stdout = cell.stdout if cell.text is None else f"{cell.stdout}{cell.text}\n"
    answer = _answer(cell.status, stdout, stderr, cell.exit_code, cell.signal, cell.duration, cell.error_message)
    answer.update(language=cell.language, usage=vars(cell.usage), enforcement=_enforcement(cell), run_id=cell.run_id)
    answer.update(session_id=session_id, state_lost=cell.state_lost)
    return answer


def _lives(session: Session) -> bool:
    try:
        session.files()
    except FormicaryError:
        return False
    return True


def _same(identifier: str, word: str) -> bool:
    rows = (row for row in _languages() if row[0] == identifier)
    return any(word.lower() in (row[0], *row[1]) for row in rows) or identifier == word


def as_dictionary(result: ExecutionResult) -> Dict[str, Any]:
    """A result as the dictionary that ``execute_code`` gives."""
    stderr = result.stderr
    if result.compile is not None and result.status is Status.COMPILE_ERROR:
        stderr = result.compile.stderr or result.compile.stdout
    answer = _answer(
        result.status, result.stdout, stderr, result.exit_code, result.signal, result.duration, result.error_message
    )
    answer.update(language=result.language, usage=vars(result.usage), enforcement=_enforcement(result))
    answer["run_id"] = result.run_id
    return answer


def _enforcement(result: Any) -> Dict[str, Any]:
    held = result.enforcement
    return {"provider": held.provider, "level": held.level.value, "protections": dict(held.protections)}


def _answer(
    status: Status,
    stdout: str,
    stderr: str,
    exit_code: Optional[int],
    signal: Optional[int],
    duration: float,
    message: Optional[str],
) -> Dict[str, Any]:
    if status is Status.SUCCESS:
        coarse = "success"
    elif status in (Status.TIMEOUT, Status.CPU_LIMIT):
        coarse = "timeout"
    else:
        coarse = "execution_error"
    code = exit_code if exit_code is not None else -1
    if exit_code is None and signal is not None and coarse != "timeout":
        code = -signal
    return {
        "stdout": stdout,
        "stderr": stderr,
        "exit_code": code,
        "execution_time": duration,
        "status": coarse,
        "error_message": message,
        "duration": duration,
        "verdict": status.value,
    }


def _refused(error: Exception) -> Dict[str, Any]:
    return {
        "stdout": "",
        "stderr": "",
        "exit_code": -1,
        "execution_time": 0.0,
        "status": "setup_error",
        "error_message": str(error),
        "duration": 0.0,
        "verdict": getattr(error, "kind", "invalid_input"),
        "language": None,
        "usage": {},
        "enforcement": {},
        "run_id": None,
    }


class CodeExecutor:
    """Runs code in an environment.

    >>> from formicary.coding.sandbox import SandboxEnvironment
    >>> with SandboxEnvironment(allow_network=False) as sandbox:
    ...     CodeExecutor(environment=sandbox).run_python("print(sum([1, 2, 3]))").stdout
    '6\\n'
    """

    def __init__(self, environment: Optional[SandboxEnvironment] = None) -> None:
        if environment is not None and not isinstance(environment, SandboxEnvironment):
            raise check.wrong("environment", "a SandboxEnvironment", environment)
        self.environment = environment or SandboxEnvironment()

    def run(self, code: str, language: Optional[str] = None, *, stdin: str = "") -> ExecutionResult:
        """Runs code; where no language is named it is found out."""
        return self.environment.execute(code, language, stdin=stdin)

    def run_python(self, code: str, *, stdin: str = "") -> ExecutionResult:
        """Runs Python."""
        return self.run(code, "python", stdin=stdin)

    def run_javascript(self, code: str, *, stdin: str = "") -> ExecutionResult:
        """Runs JavaScript."""
        return self.run(code, "javascript", stdin=stdin)

    def run_bash(self, code: str, *, stdin: str = "") -> ExecutionResult:
        """Runs Bash."""
        return self.run(code, "bash", stdin=stdin)
