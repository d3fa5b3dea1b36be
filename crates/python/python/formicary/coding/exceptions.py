"""What every part of this package raises; the first four are of reviews."""

from __future__ import annotations

import contextlib
from typing import Iterator, Type

from ..errors import (
    Cancelled,
    FormicaryError,
    InvalidConfiguration,
    InvalidInput,
    IsolationUnavailable,
    SandboxFailed,
    ToolchainMissing,
)

__all__ = [
    "Cancelled",
    "CodeReviewError",
    "ConfigurationError",
    "FormicaryError",
    "InvalidConfiguration",
    "InvalidInput",
    "IsolationUnavailable",
    "PyscnError",
    "SandboxFailed",
    "ToolNotFoundError",
    "ToolchainMissing",
]


class CodeReviewError(FormicaryError):
    """A review could not be made."""

    kind = "internal"


class ConfigurationError(CodeReviewError, ValueError):
    """What was asked for, or the project's settings, are wrong."""

    kind = "invalid_configuration"


class PyscnError(CodeReviewError):
    """The analysis of Python code could not be made."""


class ToolNotFoundError(CodeReviewError):
    """A tool that was asked for is not on this host."""

    kind = "toolchain_missing"


@contextlib.contextmanager
def reviewing(otherwise: Type[CodeReviewError] = CodeReviewError) -> Iterator[None]:
    """Failures become the exceptions of this module."""
    try:
        yield
    except Cancelled:
        raise
    except (InvalidConfiguration, InvalidInput) as error:
        raise ConfigurationError(error.message, error.hint) from error
    except ToolchainMissing as error:
        raise ToolNotFoundError(error.message, error.hint) from error
    except FormicaryError as error:
        raise otherwise(error.message, error.hint) from error
