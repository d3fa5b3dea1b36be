"""Code that is given as text, as a file for as long as it is looked at."""

from __future__ import annotations

import contextlib
import pathlib
import tempfile
from typing import Iterator

from .. import _arguments as check
from .._default import client
from .._formicary import languages
from ..errors import InvalidInput

_ENDINGS = {word: endings[0] for identifier, aliases, endings in languages() for word in (identifier, *aliases)}


def file_name(language: str) -> str:
    """The name that a snippet of this language gets."""
    ending = _ENDINGS.get(check.text("language", language).lower())
    if ending is None:
        raise InvalidInput(f"unknown language {language!r}", f"known: {', '.join(sorted({row[0] for row in languages()}))}")
    return f"{'Main' if ending == 'java' else 'main'}.{ending}"


def language_of(code: str, language: str) -> str:
    """The language, found out where ``auto`` or nothing is said."""
    if language not in ("", "auto"):
        return language
    found = client.detect(check.text("code", code))
    if found is None:
        raise InvalidInput("the language of the code is not clear", "name it")
    return found


@contextlib.contextmanager
def snippet(code: str, language: str) -> Iterator[pathlib.Path]:
    """A file with the code in a folder of its own, gone afterwards."""
    name = file_name(language_of(code, language))
    with tempfile.TemporaryDirectory(prefix="formicary-") as folder:
        path = pathlib.Path(folder).resolve() / name
        path.write_bytes(check.text("code", code).encode("utf-8"))
        yield path
