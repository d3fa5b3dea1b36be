"""What a caller says of a run, as a request on the wire."""

from __future__ import annotations

from typing import Any, Dict, Mapping, Optional, Sequence, TypedDict, Union

from . import _arguments as check
from ._arguments import Content
from ._wire import uncontent
from .limits import Limits, in_force

Network = Union[bool, str]


class RunOptions(TypedDict, total=False):
    """What may be said of a run besides its code and language."""

    stdin: Content
    timeout: Optional[float]
    limits: Optional[Limits]
    compile_limits: Optional[Limits]
    files: Optional[Mapping[str, Content]]
    entry: Optional[str]
    args: Sequence[str]
    command: Optional[Sequence[str]]
    env: Optional[Mapping[str, str]]
    network: Network
    mounts: Optional[Mapping[str, str]]
    writable_mounts: Optional[Mapping[str, str]]
    venv: Optional[str]
    packages: Sequence[str]
    collect: Sequence[str]
    compiler_flags: Sequence[str]
    provider: Optional[str]
    require: Optional[str]
    image: Optional[str]


def request(
    code: Optional[Content] = None,
    language: Optional[str] = None,
    *,
    stdin: Content = "",
    timeout: Optional[float] = None,
    limits: Optional[Limits] = None,
    compile_limits: Optional[Limits] = None,
    files: Optional[Mapping[str, Content]] = None,
    entry: Optional[str] = None,
    args: Sequence[str] = (),
    command: Optional[Sequence[str]] = None,
    env: Optional[Mapping[str, str]] = None,
    network: Network = False,
    mounts: Optional[Mapping[str, str]] = None,
    writable_mounts: Optional[Mapping[str, str]] = None,
    venv: Optional[str] = None,
    packages: Sequence[str] = (),
    collect: Sequence[str] = (),
    compiler_flags: Sequence[str] = (),
    provider: Optional[str] = None,
    require: Optional[str] = None,
    image: Optional[str] = None,
) -> Dict[str, Any]:
    """The request; only what differs from the configuration is in it."""
    asked: Dict[str, Any] = {"source": _source(code, files, entry, command)}
    if language is not None:
        asked["language"] = check.text("language", language)
    if stdin:
        asked["stdin"] = uncontent(check.content("stdin", stdin))
    held = _limits("limits", limits)
    if timeout is not None:
        check.number("timeout", timeout)
        held = Limits(wall_seconds=timeout).over(held or Limits())
    wanted = in_force(held)
    if wanted:
        asked["limits"] = wanted
    compiling = _limits("compile_limits", compile_limits)
    if compiling is not None:
        asked["compile_limits"] = compiling.wire()
    for name, value in (("args", args), ("compiler_flags", compiler_flags)):
        if value:
            asked[name] = check.words(name, value)
    if command is not None:
        asked["command"] = check.words("command", command)
    if env:
        asked["env"] = check.pairs("env", env)
    if network is not False:
        asked["network"] = _network(network)
    bound = _mounts("mounts", mounts, "read_only") + _mounts("writable_mounts", writable_mounts, "read_write")
    if bound:
        asked["mounts"] = bound
    if packages:
        asked["packages"] = {"requirements": check.words("packages", packages)}
    if collect:
        asked["collect"] = {"globs": check.words("collect", collect)}
    for name, word in (("venv", venv), ("provider", provider), ("image", image)):
        if word is not None:
            asked[name] = check.text(name, word)
    if require is not None:
        asked["assurance"] = assurance(require)
    return asked


def assurance(require: str) -> object:
    """How much protection must hold: a level, or ``best-effort``."""
    word = check.text("require", require)
    if word in ("best-effort", "best_effort"):
        return "best_effort"
    levels = ("none", "limited", "isolated", "full")
    if word not in levels:
        raise ValueError(f"require must be one of {', '.join(levels)} or best-effort, not {word!r}")
    return {"require": word}


def _source(
    code: Optional[Content],
    files: Optional[Mapping[str, Content]],
    entry: Optional[str],
    command: Optional[Sequence[str]],
) -> Dict[str, Any]:
    if files is not None:
        if code is not None:
            raise ValueError("code and files were both given; give one of the two")
        source: Dict[str, Any] = {"files": check.files("files", files)}
        if entry is not None:
            source["entry"] = check.text("entry", entry)
        return {"files": source}
    if code is None and command is None:
        raise ValueError("nothing to run was given: give code, files or a command")
    return {"code": {"code": uncontent(check.content("code", "" if code is None else code))}}


def _limits(name: str, limits: object) -> Optional[Limits]:
    if limits is not None and not isinstance(limits, Limits):
        raise check.wrong(name, "Limits", limits)
    return limits


def _network(network: object) -> str:
    if network is True or network == "host":
        return "host"
    if network in (False, "none"):
        return "none"
    if not isinstance(network, str):
        raise check.wrong("network", "bool or str", network)
    raise ValueError(f"network must be True, False, 'host' or 'none', not {network!r}")


def _mounts(name: str, mounts: Optional[Mapping[str, str]], access: str) -> "list[dict[str, str]]":
    if mounts is None:
        return []
    return [{"host": host, "guest": guest, "access": access} for host, guest in check.pairs(name, mounts).items()]
