"""Dataclasses from what crosses the border: unknown keys are passed over, so that an older reader understands a newer engine."""

from __future__ import annotations

import base64
import dataclasses
import enum
import html
import sys
import typing
from functools import lru_cache
from typing import Any, Callable, Dict, Mapping, Tuple, Type, TypeVar, Union

T = TypeVar("T")
Reader = Callable[[Any], Any]


def build(cls: Type[T], data: Mapping[str, Any]) -> T:
    """An object of a dataclass."""
    values: Dict[str, Any] = {}
    for name, key, read in _fields(cls):  # type: ignore[arg-type]
        if key in data:
            values[name] = read(data[key])
    return cls(**values)


def content(value: object) -> bytes:
    """Bytes on the wire: a string where they are UTF-8, else base64."""
    if isinstance(value, Mapping):
        return base64.b64decode(str(value["base64"]))
    return str(value).encode("utf-8")


def uncontent(value: Union[str, bytes]) -> object:
    """The other way."""
    if isinstance(value, str):
        return value
    try:
        return value.decode("utf-8")
    except UnicodeDecodeError:
        return {"base64": base64.b64encode(value).decode("ascii")}


@lru_cache(maxsize=None)
def _fields(cls: type) -> Tuple[Tuple[str, str, Reader], ...]:
    hints = typing.get_type_hints(cls, vars(sys.modules[cls.__module__]))
    return tuple(
        (field.name, field.metadata.get("key", field.name), _reader(hints[field.name]))
        for field in dataclasses.fields(cls)
        if field.init
    )


def _same(value: Any) -> Any:
    return value


def _reader(hint: Any) -> Reader:
    origin, arguments = typing.get_origin(hint), typing.get_args(hint)
    if origin is Union:
        inner = _reader(next(one for one in arguments if one is not type(None)))
        return lambda value: None if value is None else inner(value)
    if origin is list:
        inner = _reader(arguments[0])
        return _same if inner is _same else lambda value: [inner(one) for one in value]
    if origin is dict:
        key, inner = _reader(arguments[0]), _reader(arguments[1])
        return lambda value: {key(name): inner(one) for name, one in value.items()}
    if isinstance(hint, type):
        if issubclass(hint, enum.Enum):
            return hint
        if dataclasses.is_dataclass(hint):
            return lambda value: build(hint, value)
        if hint is bytes:
            return content
        if hint is float:
            return float
        if hint is int:
            return int
    return _same


def table(title: str, rows: "list[tuple[str, object]]") -> str:
    """A notebook's view of some facts; whatever a program wrote means nothing to the page."""
    cells = "".join(
        f"<tr><th style='text-align:left;vertical-align:top'>{html.escape(name)}</th>"
        f"<td style='text-align:left'><pre style='margin:0'>{html.escape(str(value))}</pre></td></tr>"
        for name, value in rows
    )
    return f"<table><caption>{html.escape(title)}</caption>{cells}</table>"
