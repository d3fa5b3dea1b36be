"""Formicary as an object: configured once, sandboxes kept warm, one method a use-case."""

from __future__ import annotations

import json
import os
from typing import TYPE_CHECKING, Any, Dict, Iterator, List, Mapping, Optional, Sequence, Union

from . import _arguments as check
from ._agent_methods import AgentMethods
from ._arguments import Content, PathLike
from ._keeping_methods import KeepingMethods
from ._native import Channel, events
from ._requests import assurance, request
from ._scoped import Scoped
from ._testing_methods import TestingMethods
from ._wire import build
from .diagnosis import Diagnosed, Diagnosis, FixReport
from .findings import AppliedFixes, Review
from .host import Doctor, LanguageInfo
from .inspection import InspectReport
from .judging import JudgeReport
from .limits import Limits
from .results import Event, ExecutionResult
from .sessions import Session
from .structure import Calls, CloneReport, Dependency, RefactoringReport, RefactorReport, RewriteReport, SearchReport, Symbol

if TYPE_CHECKING:
    from typing_extensions import Unpack

    from ._requests import RunOptions

__all__ = ["Formicary", "Run"]

Paths = Union[PathLike, Sequence[PathLike]]


class Run(Scoped):
    """A run whose events come one by one; leaving its ``with`` block ends it.

    >>> import formicary
    >>> with formicary.stream("print('a'); print('b')", "python") as run:
    ...     text = "".join(event.text for event in run if event.stream == "stdout")
    >>> text, run.result.success
    ('a\\nb\\n', True)
    """

    def __init__(self, channel: Channel, asked: Dict[str, Any]) -> None:
        self._stream = channel.stream(asked)
        self._events = events(self._stream)
        self._result: Optional[ExecutionResult] = None

    def __iter__(self) -> Iterator[Event]:
        return self

    def __next__(self) -> Event:
        told = next(self._events)
        if told["event"] == "result":
            self._result = build(ExecutionResult, told["result"])
            raise StopIteration
        return Event.read(told)

    @property
    def result(self) -> ExecutionResult:
        """How it ended; reads on to the end where that has not come yet."""
        for _ in self:
            pass
        if self._result is None:
            raise RuntimeError("the run was ended before it had a result")
        return self._result

    def close(self) -> None:
        """Ends the run; nothing of it is left."""
        self._stream.close()

    def _leave(self) -> None:
        self.close()


class Formicary(TestingMethods, AgentMethods, KeepingMethods, Scoped):
    """Formicary with its settings, as in ``formicary config``: ``Formicary({"provider": "native"})``.

    >>> from formicary import Formicary
    >>> with Formicary({"limits.wall_seconds": "5"}) as engine:
    ...     engine.execute("echo hello", "bash").stdout
    'hello\\n'
    """

    def __init__(self, settings: Optional[Mapping[str, str]] = None) -> None:
        self._channel = Channel({} if settings is None else check.pairs("settings", settings))

    def execute(
        self, code: Optional[Content] = None, language: Optional[str] = None, **options: Unpack[RunOptions]
    ) -> ExecutionResult:
        """Runs a program to its end. A failing program is a result; raises ``FormicaryError`` where Formicary fails.

        Without a language it is found out from the code. Ctrl-C ends the run and leaves nothing.
        """
        return build(ExecutionResult, self._channel.call("execute", request(code, language, **options)))

    async def execute_async(
        self, code: Optional[Content] = None, language: Optional[str] = None, **options: Unpack[RunOptions]
    ) -> ExecutionResult:
        """The same beside an event loop; cancelling the task ends the run."""
        answer = await self._channel.call_async("execute", request(code, language, **options))
        return build(ExecutionResult, answer)

    def stream(
        self, code: Optional[Content] = None, language: Optional[str] = None, **options: Unpack[RunOptions]
    ) -> Run:
        """Starts a run whose output comes as it is written."""
        return Run(self._channel, request(code, language, **options))

    def warm_up(self, language: str = "python") -> None:
        """Waits until runs of this language are as quick as they will be."""
        self._channel.call("warm_up", request("", check.text("language", language)))

    def session(
        self,
        language: str = "python",
        *,
        id: Optional[str] = None,
        limits: Optional[Limits] = None,
        files: Optional[Mapping[str, Content]] = None,
        env: Optional[Mapping[str, str]] = None,
        network: bool = False,
        packages: Sequence[str] = (),
        venv: Optional[str] = None,
        provider: Optional[str] = None,
        image: Optional[str] = None,
        require: Optional[str] = None,
        idle_seconds: Optional[float] = None,
    ) -> Session:
        """A sandbox that lives on between cells."""
        asked: Dict[str, Any] = {"language": check.text("language", language)}
        if id is not None:
            asked["id"] = check.text("id", id)
        if limits is not None:
            asked["limits"] = limits.wire()
        if files:
            asked["files"] = check.files("files", files)
        if env:
            asked["env"] = check.pairs("env", env)
        if network:
            asked["network"] = "host"
        if packages:
            asked["packages"] = {"requirements": check.words("packages", packages)}
        for name, word in (("venv", venv), ("provider", provider), ("image", image)):
            if word is not None:
                asked[name] = check.text(name, word)
        if require is not None:
            asked["assurance"] = assurance(require)
        if idle_seconds is not None:
            asked["idle_seconds"] = check.number("idle_seconds", idle_seconds)
        return Session(self._channel, asked)

    def judge(
        self,
        items: Sequence[Mapping[str, Any]],
        *,
        compare: Union[str, Mapping[str, Any]] = "trimmed",
        fail_fast: bool = False,
        jobs: Optional[int] = None,
        pass_at: Sequence[int] = (),
        timeout: Optional[float] = None,
    ) -> JudgeReport:
        """Judges programs against their cases, several at a time. Items are those of ``formicary judge``."""
        if isinstance(items, (str, bytes, Mapping)) or not isinstance(items, Sequence):
            raise check.wrong("items", "a list of dicts", items)
        asked: Dict[str, Any] = {"items": list(items), "compare": compare, "fail_fast": bool(fail_fast), "jobs": jobs}
        asked["pass_at"] = list(pass_at)
        if timeout is not None:
            asked["limits"] = Limits(wall_seconds=timeout).wire()
        return build(JudgeReport, self._channel.call("judge", asked))

    def review(
        self,
        paths: Paths = (),
        *,
        folder: Optional[PathLike] = None,
        new: Optional[str] = None,
        gates: Optional[Mapping[str, float]] = None,
        tools: Sequence[str] = (),
        format: Optional[str] = None,
        record: bool = False,
        history: Optional[PathLike] = None,
        cache: bool = True,
        only: Optional[Sequence[str]] = None,
    ) -> Review:
        """Reviews files and folders, or what a change (``new``: a git range, a folder, a diff) made of them.

        ``format`` (html, markdown, json, sarif, junit, csv, terminal) puts a report into ``text``.
        """
        asked = self._place(paths, folder)
        asked.update({"record": bool(record), "without_cache": not cache, "tools": check.words("tools", tools)})
        if new is not None:
            asked["new"] = check.text("new", new)
        if history is not None:
            asked["history"] = check.path("history", history)
        if gates is not None:
            asked["gates"] = {check.text("a key of gates", key): check.number(key, one) for key, one in gates.items()}
        if format is not None:
            asked["format"] = check.text("format", format)
        if only is not None:
            asked["fingerprints"] = check.words("only", only)
        report = self._channel.call("review", asked)
        return build(Review, {**report, "root": os.path.abspath(os.path.join(_folder(folder) or "", report["root"]))})

    def review_fix(self, paths: Paths = (), *, folder: Optional[PathLike] = None, unsafe: bool = False) -> AppliedFixes:
        """Fixes what reviews can fix, and writes the files: safe fixes, or with ``unsafe`` those that want a look too."""
        asked = {**self._place(paths, folder), "unsafe": bool(unsafe), "write": True}
        fixed = self._channel.call("review.fix", asked)
        return AppliedFixes(fixed["applied"], fixed["left"], [one["file"] for one in fixed["changes"]])

    def write_baseline(self, paths: Paths = (), *, folder: Optional[PathLike] = None) -> str:
        """Writes the open findings as known ones; gives the file's path."""
        return str(self._channel.call("review.baseline", self._place(paths, folder))["path"])

    def rules(self) -> List[Dict[str, Any]]:
        """Every rule that reviews know."""
        return list(self._channel.call("review.rules", {})["items"])

    def search(
        self,
        pattern: Optional[str] = None,
        paths: Paths = (),
        *,
        language: Optional[str] = None,
        rules: Sequence[str] = (),
        folder: Optional[PathLike] = None,
        explain: bool = False,
    ) -> SearchReport:
        """Finds code by its shape: ``search("print($X)", "src")``."""
        asked = self._sought(pattern, rules, language, paths, folder)
        asked["explain"] = bool(explain)
        return build(SearchReport, self._channel.call("search", asked))

    def rewrite(
        self,
        pattern: Optional[str] = None,
        template: Optional[str] = None,
        paths: Paths = (),
        *,
        language: Optional[str] = None,
        rules: Sequence[str] = (),
        folder: Optional[PathLike] = None,
        write: bool = False,
    ) -> RewriteReport:
        """Changes code by its shape. Nothing is written unless ``write`` says so; ``undo`` takes it back."""
        asked = self._sought(pattern, rules, language, paths, folder)
        asked.update({"to": check.optional_text("template", template), "write": bool(write)})
        return build(RewriteReport, self._channel.call("rewrite", asked))

    def undo(self, name: Optional[str] = None, *, folder: Optional[PathLike] = None) -> List[str]:
        """Takes back the last rewrite, or the one of this name; gives the files that have their former text again."""
        asked = {"name": check.optional_text("name", name), "folder": _folder(folder)}
        return list(self._channel.call("undo", asked)["restored"])

    def clones(
        self,
        paths: Paths = (),
        *,
        folder: Optional[PathLike] = None,
        types: Sequence[str] = (),
        lines: Optional[int] = None,
        tokens: Optional[int] = None,
        similarity: Optional[float] = None,
        without_tests: bool = False,
        new: Optional[str] = None,
    ) -> CloneReport:
        """Copies of code; with a change also those that it edited here and not there."""
        asked = self._place(paths, folder)
        asked.update({"types": check.words("types", types), "without_tests": bool(without_tests)})
        for name, whole, value in (("lines", True, lines), ("tokens", True, tokens), ("similarity", False, similarity)):
            if value is not None:
                asked[name] = check.number(name, value, whole=whole)
        if new is not None:
            asked["new"] = check.text("new", new)
        return build(CloneReport, self._channel.call("clones", asked))

    def refactorings(
        self, before: PathLike, after: Optional[PathLike] = None, *, folder: Optional[PathLike] = None
    ) -> RefactoringReport:
        """Which refactorings lead from one version to the other: two git revisions, two folders or two files."""
        later = None if after is None else check.path("after", after)
        asked = {"before": check.path("before", before), "after": later, "folder": _folder(folder)}
        return build(RefactoringReport, self._channel.call("refactorings", asked))

    def refactor(
        self,
        refactoring: Mapping[str, Any],
        *,
        folder: Optional[PathLike] = None,
        write: bool = False,
        verify: Sequence[str] = (),
    ) -> RefactorReport:
        """Makes a refactoring, or refuses it with the reason: ``rename``, ``extract_variable``, ``extract_function``,
        ``inline``, each with its file and places (from 1): ``{"rename": {"file": "a.py", "at": [1, 5], "to": "name"}}``, or flat as
        over HTTP: ``{"kind": "rename", "file": "a.py", "line": 1, "column": 5, "to": "name"}``.

        Nothing is written unless ``write`` says so. ``verify`` is a command that runs in the sandbox before and after; where
        it newly fails, the change is taken back.
        """
        if not isinstance(refactoring, Mapping):
            raise check.wrong("refactoring", "a dict", refactoring)
        asked: Dict[str, Any] = {"refactoring": _flat(refactoring), "folder": _folder(folder), "write": bool(write)}
        asked["verify"] = check.words("verify", verify)
        return build(RefactorReport, self._channel.call("refactor", asked))

    def symbols(
        self,
        name: Optional[str] = None,
        paths: Paths = (),
        *,
        kind: Optional[str] = None,
        references: bool = False,
        folder: Optional[PathLike] = None,
    ) -> List[Symbol]:
        """What is defined in a project; with ``references``, each with the places that name it."""
        asked = self._place(paths, folder)
        asked.update(name=check.optional_text("name", name), kind=check.optional_text("kind", kind))
        asked["references"] = bool(references)
        found = self._channel.call("symbols", asked)
        return [build(Symbol, {**one["symbol"], "places": one["references"]}) for one in found["items"]]

    def calls(
        self, name: str, paths: Paths = (), *, depth: int = 1, certain: bool = False, folder: Optional[PathLike] = None
    ) -> Calls:
        """Who calls a function, and whom it calls; ``certain`` leaves out what only has the same name."""
        asked = self._place(paths, folder)
        asked.update(name=check.text("name", name), depth=check.number("depth", depth, whole=True))
        asked["certain"] = bool(certain)
        sides = {side: self._channel.call("calls", {**asked, "side": side})["items"] for side in ("callers", "callees")}
        return build(Calls, sides)

    def dependencies(
        self,
        file: Optional[str] = None,
        paths: Paths = (),
        *,
        reverse: bool = False,
        external: bool = False,
        folder: Optional[PathLike] = None,
    ) -> List[Dependency]:
        """Which file needs which; with ``reverse`` who needs the file, with ``external`` other modules, too."""
        asked = self._place(paths, folder)
        asked.update(file=check.optional_text("file", file), reverse=bool(reverse), external=bool(external))
        return [build(Dependency, one) for one in self._channel.call("dependencies", asked)["items"]]

    def diagnose(
        self, code: Optional[Content] = None, language: Optional[str] = None, **options: Unpack[RunOptions]
    ) -> Diagnosed:
        """Runs a program so that its failure tells as much as it can, and reads that."""
        return build(Diagnosed, self._channel.call("diagnose", request(code, language, **options)))

    def diagnose_text(
        self, said: str, language: Optional[str] = None, *, sources: Optional[Mapping[str, str]] = None
    ) -> Diagnosis:
        """Reads what a program or a compiler said."""
        asked: Dict[str, Any] = {"text": check.text("said", said)}
        asked["language"] = check.optional_text("language", language)
        texts = check.pairs("sources", sources or {})
        asked["files"] = [{"path": path, "content": text} for path, text in texts.items()]
        return build(Diagnosis, self._channel.call("diagnose", asked)["diagnosis"])

    def inspect(
        self,
        code: Optional[Content] = None,
        language: Optional[str] = None,
        *,
        breakpoints: Union[str, Sequence[str]] = (),
        print: Union[str, Sequence[str]] = (),
        logs: Optional[Mapping[str, str]] = None,
        every_exception: bool = False,
        stops: int = 0,
        adapter: Optional[str] = None,
        **options: Unpack[RunOptions],
    ) -> InspectReport:
        """Runs a program under its language's debugger, from stop to stop, and tells what was seen at each.

        ``breakpoints`` are ``FILE:LINE``, ``LINE`` or ``FUNCTION``, each with `` if CONDITION`` behind it where there is one;
        what ends the program stops it too. ``print`` are expressions to evaluate at every stop. ``logs`` maps places to texts
        that are noted without stopping, in which ``{expression}`` stands for its value. After ``stops`` stops it is ended.
        ``adapter`` names the debugger (``bdb``, ``debugpy``, ``gdb``, ``lldb``, ``delve``); the report says which was taken.

        >>> import formicary
        >>> seen = formicary.inspect("x = 0\\nfor n in range(3):\\n    x += n\\n", "python", breakpoints="3 if n == 2", print="x * 10")
        >>> [(stop.line, stop["x * 10"], stop.variables["n"]) for stop in seen]
        [(3, '10', '2')]
        """
        asked: Dict[str, Any] = {
            **request(code, language, **options),
            "breakpoints": _places("breakpoints", breakpoints),
            "print": _places("print", print),
            "logs": [f"{place}={text}" for place, text in check.pairs("logs", logs or {}).items()],
            "every_exception": bool(every_exception),
        }
        if check.number("stops", stops, whole=True):
            asked["stops"] = stops
        if adapter is not None:
            asked["adapter"] = check.text("adapter", adapter)
        return build(InspectReport, self._channel.call("inspect", asked))

    def fix(
        self,
        target: PathLike,
        *,
        test: Optional[str] = None,
        tests: Optional[PathLike] = None,
        expect: Optional[str] = None,
        stdin: Optional[str] = None,
        expect_file: Optional[PathLike] = None,
        stdin_file: Optional[PathLike] = None,
        folder: Optional[PathLike] = None,
        most_candidates: Optional[int] = None,
        seconds: float = 60.0,
        write: bool = False,
        install: bool = False,
        model: Optional[str] = None,
        provider: Optional[str] = None,
    ) -> FixReport:
        """Fixes a program by its tests. The tree is touched only where ``write`` says so and a patch is verified.

        Right is what passes ``test`` (a command), ``tests`` (a file), or what prints ``expect`` (or the content of
        ``expect_file``) when it reads ``stdin`` (or ``stdin_file``). ``install`` lets missing Python packages be installed for the
        program's runs, and ``model`` names a language model that is asked where rules and search find nothing.
        """
        asked: Dict[str, Any] = {
            "paths": [check.path("target", target)],
            "test": check.optional_text("test", test),
            "expect": check.optional_text("expect", expect),
            "stdin": check.optional_text("stdin", stdin),
            "model": check.optional_text("model", model),
            "seconds": check.number("seconds", seconds),
            "write": bool(write),
            "install": bool(install),
        }
        if provider is not None:
            asked["provider"] = check.text("provider", provider)
        if most_candidates is not None:
            asked["candidates"] = check.number("most_candidates", most_candidates, whole=True)
        paths = {"tests": tests, "expect_file": expect_file, "stdin_file": stdin_file, "folder": folder}
        for name, value in paths.items():
            if value is not None:
                asked[name] = check.path(name, value)
        return build(FixReport, self._channel.call("fix", asked))

    def languages(self) -> List[LanguageInfo]:
        """Every language with its state on this host. Nothing is started."""
        return [LanguageInfo.read(one) for one in self._channel.call("languages", {})]

    def detect(self, code: str, file_name: Optional[str] = None) -> Optional[str]:
        """The language that this code seems to be in."""
        asked = {"code": check.text("code", code), "file_name": check.optional_text("file_name", file_name)}
        return check.optional_text("language", self._channel.call("detect", asked)["language"])

    def doctor(self) -> Doctor:
        """What this host offers, what is missing, and how to get it."""
        return build(Doctor, self._channel.call("doctor", {}))

    def close(self) -> None:
        """Ends what stands ready."""
        self._channel.close()

    def _leave(self) -> None:
        self.close()

    @staticmethod
    def _place(paths: Paths, folder: Optional[PathLike]) -> Dict[str, Any]:
        return {"paths": check.paths("paths", paths), "folder": _folder(folder)}

    def _sought(
        self,
        pattern: Optional[str],
        rules: Sequence[str],
        language: Optional[str],
        paths: Paths,
        folder: Optional[PathLike],
    ) -> Dict[str, Any]:
        asked = self._place(paths, folder)
        asked["pattern"] = check.optional_text("pattern", pattern)
        asked["rules"] = check.words("rules", rules)
        asked["language"] = check.optional_text("language", language)
        return asked


def _places(name: str, value: Union[str, Sequence[str]]) -> List[str]:
    words = check.words(name, [value] if isinstance(value, str) else value)
    if not all(word.strip() for word in words):
        raise ValueError(f"{name} holds an empty text")
    return words


def _folder(folder: Optional[PathLike]) -> Optional[str]:
    return None if folder is None else check.path("folder", folder)


def _flat(refactoring: Mapping[str, Any]) -> Dict[str, Any]:
    """A refactoring in the form that every front end takes."""
    if "kind" in refactoring or len(refactoring) != 1:
        return dict(refactoring)
    ((kind, fields),) = refactoring.items()
    if not isinstance(fields, Mapping):
        raise check.wrong(f"refactoring[{kind!r}]", "a dict", fields)
    flat: Dict[str, Any] = {"kind": kind, **fields}
    for pair, names in (("at", ("line", "column")), ("from", ("line", "column")), ("until", ("end_line", "end_column"))):
        if pair in flat:
            flat.update(zip(names, flat.pop(pair)))
    return flat
