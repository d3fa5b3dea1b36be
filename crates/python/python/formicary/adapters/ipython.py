"""The magic ``%%sandbox``: ``%load_ext formicary.adapters.ipython``, then ``%%sandbox python --timeout 5`` above a cell."""

from __future__ import annotations

import argparse
import shlex
import sys
from typing import Any, List, NoReturn, Optional, Union

from .._default import client
from ..errors import FormicaryError
from ..results import ExecutionResult
from ..sessions import CellResult, Session

__all__ = ["load_ipython_extension", "sandbox"]

_sessions: "dict[str, Session]" = {}


class _Words(argparse.ArgumentParser):
    def error(self, message: str) -> NoReturn:
        raise ValueError(f"%%sandbox: {message}\n{self.format_usage()}")


def _parser() -> _Words:
    parser = _Words(prog="%%sandbox", add_help=False, exit_on_error=False)
    parser.add_argument("language", nargs="?", default="python")
    parser.add_argument("--timeout", type=float)
    parser.add_argument("--session", metavar="NAME")
    parser.add_argument("--network", action="store_true")
    parser.add_argument("--quiet", action="store_true")
    return parser


def sandbox(line: str, cell: str) -> Optional[Union[ExecutionResult, CellResult]]:
    """Runs the cell in the sandbox, shows what it wrote, gives the result. With ``--session`` variables stay."""
    try:
        options = _parser().parse_args(shlex.split(line))
        result = _run(options, cell)
    except (ValueError, argparse.ArgumentError, FormicaryError) as error:
        print(error, file=sys.stderr)
        return None
    if not options.quiet:
        sys.stdout.write(result.stdout)
        sys.stderr.write(result.stderr)
        if isinstance(result, CellResult):
            _show(result)
        if not result.success and result.error_message:
            print(result.error_message, file=sys.stderr)
    return result


def _show(result: CellResult) -> None:
    from IPython.display import display

    shown: List[Any] = list(result.displays) + ([] if result.value is None else [result.value])
    for forms in shown:
        display(forms, raw=True)  # type: ignore[no-untyped-call, unused-ignore]
    if result.exception is not None:
        sys.stderr.write(result.exception.traceback)


def _run(options: argparse.Namespace, cell: str) -> Union[ExecutionResult, CellResult]:
    if options.session is None:
        return client.execute(cell, options.language, timeout=options.timeout, network=options.network)
    session = _sessions.get(options.session)
    if session is None:
        session = client.session(options.language, id=options.session, network=options.network)
        _sessions[options.session] = session
    return session.run(cell, timeout=options.timeout)


def load_ipython_extension(shell: Any) -> None:
    """What ``%load_ext`` calls."""
    shell.register_magic_function(sandbox, magic_kind="cell", magic_name="sandbox")


def unload_ipython_extension(shell: Any) -> None:
    """Ends the sessions of the magic."""
    while _sessions:
        _sessions.popitem()[1].close()
