"""Sandboxes: limits, environments, containers, prepared files."""

from __future__ import annotations

import contextlib
import os
import tempfile
from dataclasses import dataclass
from typing import Any, Dict, Iterator, Mapping, Optional, Sequence

from .. import _arguments as check
from .. import _formicary as native
from .._arguments import Content, PathLike
from .._default import client
from .._scoped import Scoped
from ..errors import raise_native
from ..limits import Limits, limited
from ..results import ExecutionResult

__all__ = [
    "ExecutionLimits",
    "SandboxEnvironment",
    "DockerSandbox",
    "check_docker_available",
    "execute_with_limits",
    "run_code_in_docker",
    "sandbox_process_isolation",
    "resource_limits_context",
    "prepare_code_file",
    "prepare_stdin_file",
    "cleanup_temp_files",
]


@dataclass(frozen=True)
class ExecutionLimits:
    """What a program may use; ``None`` leaves a limit as configured. What lies outside its bounds is a ``ValueError``.

    >>> ExecutionLimits(time_limit=5, memory_limit_mb=64)
    ExecutionLimits(time_limit=5, cpu_time_limit=None, memory_limit_mb=64, disk_limit_mb=None, max_processes=None)
    """

    time_limit: Optional[float] = None
    cpu_time_limit: Optional[float] = None
    memory_limit_mb: Optional[int] = None
    disk_limit_mb: Optional[int] = None
    max_processes: Optional[int] = None

    def __post_init__(self) -> None:
        for name, value in vars(self).items():
            if value is not None:
                check.number(name, value, whole=name not in ("time_limit", "cpu_time_limit"))
        self.limits()

    def limits(self) -> Limits:
        """The same by the engine's names."""
        mebibytes = [None if size is None else size << 20 for size in (self.memory_limit_mb, self.disk_limit_mb)]
        return Limits(
            wall_seconds=self.time_limit,
            cpu_seconds=self.cpu_time_limit,
            memory_bytes=mebibytes[0],
            disk_bytes=mebibytes[1],
            processes=self.max_processes,
        )


def _limits(limits: Optional[ExecutionLimits]) -> Limits:
    if limits is None:
        return Limits()
    if not isinstance(limits, ExecutionLimits):
        raise check.wrong("limits", "ExecutionLimits", limits)
    return limits.limits()


class SandboxEnvironment(Scoped):
    """How code is to be confined. Each run has a sandbox of its own that ends with it."""

    def __init__(
        self,
        allow_network: bool = False,
        *,
        provider: Optional[str] = None,
        limits: Optional[ExecutionLimits] = None,
        read_only: Optional[Mapping[str, str]] = None,
        read_write: Optional[Mapping[str, str]] = None,
    ) -> None:
        if not isinstance(allow_network, bool):
            raise check.wrong("allow_network", "bool", allow_network)
        self.allow_network = allow_network
        self.provider = check.optional_text("provider", provider)
        self.limits = limits
        self._limits = _limits(limits)
        self.read_only = check.pairs("read_only", read_only or {})
        self.read_write = check.pairs("read_write", read_write or {})
        self._open = True

    def execute(self, code: str, language: Optional[str] = None, *, stdin: str = "") -> ExecutionResult:
        """Runs code in it."""
        if not self._open:
            raise ValueError("this SandboxEnvironment was left; make a new one")
        return client.execute(
            code,
            language,
            stdin=stdin,
            limits=self._limits,
            network=self.allow_network,
            provider=self.provider,
            mounts=self.read_only,
            writable_mounts=self.read_write,
        )

    def _leave(self) -> None:
        self._open = False

    def __repr__(self) -> str:
        return f"SandboxEnvironment(allow_network={self.allow_network}, provider={self.provider!r})"


def execute_with_limits(
    language: str, code: str, limits: Optional[ExecutionLimits] = None, stdin: str = ""
) -> ExecutionResult:
    """Runs code under limits.

    >>> execute_with_limits("python", "while True: pass", ExecutionLimits(time_limit=0.5)).status
    <Status.TIMEOUT: 'timeout'>
    """
    return client.execute(code, check.text("language", language), stdin=stdin, limits=_limits(limits))


@contextlib.contextmanager
def resource_limits_context(limits: ExecutionLimits) -> Iterator[ExecutionLimits]:
    """Whatever runs inside has these limits, unless it brings its own; what runs outside has not.

    >>> with resource_limits_context(ExecutionLimits(memory_limit_mb=64)):
    ...     CodeExecutorResult = client.execute("x = bytearray(200 << 20)", "python").status
    >>> CodeExecutorResult
    <Status.MEMORY_LIMIT: 'memory_limit'>
    """
    with limited(_limits(limits)):
        yield limits


def sandbox_process_isolation(
    command: Sequence[str],
    files: Optional[Mapping[str, Content]] = None,
    limits: Optional[ExecutionLimits] = None,
    stdin: Content = "",
) -> ExecutionResult:
    """Runs a command over files, isolated by the kernel itself: namespaces, control groups, landlock, seccomp. Raises
    where this host cannot isolate.

    >>> sandbox_process_isolation(["id", "-u"]).stdout
    '1000\\n'
    """
    check.words("command", command)
    return client.execute(
        files=files or None,
        command=command,
        limits=_limits(limits),
        stdin=stdin,
        provider="native",
        require="isolated",
    )


def check_docker_available() -> bool:
    """Whether an engine answers here; within a few seconds, whatever is wrong with it."""
    return bool(docker_state()["available"])


def docker_state() -> Dict[str, Any]:
    """The same with what stands in the way, the socket, and the protection that containers reach."""
    return dict(client._channel.call("docker_available"))


def run_code_in_docker(
    language: str, code: str, stdin: str = "", limits: Optional[ExecutionLimits] = None
) -> ExecutionResult:
    """Runs code in a container of its own, which is gone afterwards."""
    return client.execute(
        code, check.text("language", language), stdin=stdin, limits=_limits(limits), provider="docker"
    )


class DockerSandbox(Scoped):
    """Files and a command, run in a container of their own, in ``/app`` of the image, without a network.

    ``with DockerSandbox({"main.py": "print(1)"}, "python main.py") as sandbox: sandbox.run()``
    """

    def __init__(
        self, files: Mapping[str, Content], command: str, collect: Sequence[str] = (), image: Optional[str] = None
    ) -> None:
        check.files("files", files)
        self.files = dict(files)
        self.command = check.text("command", command)
        self.collect = check.words("collect", collect)
        self._image = check.optional_text("image", image)

    def setup_image(self) -> str:
        """Makes sure that ``python-uv-image`` is there, building it where it is not; gives the name of the image."""
        if self._image is None:
            self._image = str(client._channel.call("docker_image"))
        return self._image

    def run(self, timeout: float = 30) -> ExecutionResult:
        """Runs the command over the files; it is ended after ``timeout`` seconds."""
        return client.execute(
            files=self.files,
            command=["/bin/sh", "-c", self.command],
            image=self.setup_image(),
            provider="docker",
            timeout=timeout,
            collect=self.collect,
        )

    def __enter__(self) -> "DockerSandbox":
        self.setup_image()
        return self

    def _leave(self) -> None:
        # Each run's container and files are gone with the run.
        self.files = {}


def _below(folder: Optional[PathLike]) -> str:
    return tempfile.gettempdir() if folder is None else check.path("folder", folder)


def prepare_code_file(code: str, language: str, folder: Optional[PathLike] = None) -> str:
    """Writes code into a fresh private folder, under the name that its language wants; gives the path.

    >>> path = prepare_code_file("print(1)", "python")
    >>> os.path.basename(path), cleanup_temp_files(path)
    ('main.py', 1)
    """
    check.text("code", code)
    try:
        return os.fspath(native.prepare_code_file(check.text("language", language), code, _below(folder)))
    except native.NativeFailure as failure:
        raise_native(failure)


def prepare_stdin_file(stdin: str, folder: Optional[PathLike] = None) -> str:
    """Writes standard input into a fresh private folder; gives the path."""
    try:
        return os.fspath(native.prepare_stdin_file(check.text("stdin", stdin), _below(folder)))
    except native.NativeFailure as failure:
        raise_native(failure)


def cleanup_temp_files(*paths: PathLike) -> int:
    """Removes prepared files and their folders; says how many there were. Refuses what was not prepared."""
    named = [path for index, one in enumerate(paths) for path in check.paths(f"paths[{index}]", one)]
    try:
        return native.cleanup_temp_files(named)
    except native.NativeFailure as failure:
        raise_native(failure)
