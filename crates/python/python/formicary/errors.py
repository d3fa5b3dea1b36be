"""What Formicary raises. A failing *program* is a result, never one of these."""

from __future__ import annotations

from typing import Dict, NoReturn, Optional, Type

from ._formicary import NativeFailure

__all__ = [
    "FormicaryError",
    "InvalidInput",
    "InvalidConfiguration",
    "ToolchainMissing",
    "IsolationUnavailable",
    "SandboxFailed",
    "Cancelled",
]


class FormicaryError(Exception):
    """Formicary itself failed: what, and what to do about it.

    >>> import formicary
    >>> try:
    ...     formicary.execute("1", "klingon")
    ... except formicary.FormicaryError as error:
    ...     print(error.kind)
    invalid_input
    """

    kind: str = "internal"

    def __init__(self, message: str, hint: Optional[str] = None) -> None:
        super().__init__(message if hint is None else f"{message} ({hint})")
        self.message = message
        self.hint = hint


class InvalidInput(FormicaryError, ValueError):
    """The request is wrong; nothing ran."""

    kind = "invalid_input"


class InvalidConfiguration(FormicaryError):
    """The configuration is wrong; nothing ran."""

    kind = "invalid_configuration"


class ToolchainMissing(FormicaryError):
    """The language's tools are not on this host; nothing ran."""

    kind = "toolchain_missing"


class IsolationUnavailable(FormicaryError):
    """This host cannot give the protection that is required; nothing ran."""

    kind = "isolation_unavailable"


class SandboxFailed(FormicaryError):
    """The sandbox could not be set up."""

    kind = "sandbox_failed"


class Cancelled(FormicaryError):
    """The call was called off."""

    kind = "cancelled"


_KINDS: Dict[str, Type[FormicaryError]] = {
    kind.kind: kind
    for kind in (InvalidInput, InvalidConfiguration, ToolchainMissing, IsolationUnavailable, SandboxFailed, Cancelled)
}


def raise_native(failure: NativeFailure) -> NoReturn:
    """Raises the exception of the failure's kind."""
    kind, message, hint = failure.args
    raise _KINDS.get(kind, FormicaryError)(message, hint) from None
