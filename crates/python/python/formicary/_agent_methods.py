"""The part of the client that is about the agent."""

from __future__ import annotations

import json
import pathlib
from typing import Any, Callable, Dict, List, Mapping, Optional, Sequence

from . import _arguments as check
from ._arguments import Content, PathLike
from ._native import Channel
from .agents import AgentEvent, AgentResult, KeptRun
from .errors import InvalidInput

Ask = Callable[[str], Optional[str]]
Watch = Callable[[AgentEvent], object]


class AgentMethods:
    """Tasks for the agent, and the runs that are kept."""

    _channel: Channel

    def agent(
        self,
        task: str,
        *,
        model: Optional[str] = None,
        project: Optional[PathLike] = None,
        files: Optional[Mapping[str, Content]] = None,
        expect: Optional[str] = None,
        stdin: str = "",
        cases: Sequence[Mapping[str, str]] = (),
        test: Optional[str] = None,
        check_script: Optional[PathLike] = None,
        command: Optional[str] = None,
        packages: Sequence[str] = (),
        allow_test_edits: bool = False,
        fixer: bool = True,
        gate: Optional[str] = "critical",
        steps: Optional[int] = None,
        attempts: Optional[int] = None,
        seconds: Optional[float] = None,
        tokens: Optional[int] = None,
        money: Optional[float] = None,
        sandbox_seconds: Optional[float] = None,
        record: Optional[PathLike] = None,
        out: Optional[PathLike] = None,
        apply: bool = False,
        ask: Optional[Ask] = None,
        watch: Optional[Watch] = None,
        provider: Optional[str] = None,
    ) -> AgentResult:
        """Has a model solve a task: it writes files, the sandbox runs them, what is wrong goes back to it.

        ``model`` is ``openai:NAME``, ``anthropic:NAME``, ``gemini:NAME``, ``responses:NAME``, or without a key
        ``recorded:FILE`` and ``scripted:FILE``. The workspace is a copy of the folder ``project``, or ``files``, or empty;
        ``apply`` writes a solved result back into the project, ``out`` names a folder for the files.

        It is done when all of these hold that are given: the output is ``expect`` for ``stdin`` (and so for each of ``cases``,
        dicts with ``stdin`` and ``expected``), the command ``test`` ends with 0, the script ``check_script`` ends with 0.

        ``ask`` answers the model's questions (``None``: nobody knows), ``watch`` hears of each step; both are called on this
        thread, and what they raise ends the run. A task that is not solved is a result with its ``ending``. Ctrl-C ends the
        run, which ``agent_resume("last")`` goes on with.
        """
        asked: Dict[str, Any] = {
            "task": check.text("task", task),
            "model": check.optional_text("model", model),
            "cases": _expected(expect, stdin, cases),
            "test": check.optional_text("test", test),
            "checker": _script(check_script),
            "run": check.optional_text("command", command),
            "allow_packages": check.words("packages", packages),
            "allow_test_edits": bool(allow_test_edits),
            "without_fixer": not fixer,
            "gate": _gate(gate) or "none",
            "apply": bool(apply),
        }
        if provider is not None:
            asked["provider"] = check.text("provider", provider)
        for name, count in (("steps", steps), ("attempts", attempts), ("tokens", tokens)):
            if count is not None:
                asked[name] = check.number(name, count, whole=True)
        for name, amount in (("seconds", seconds), ("money", money), ("sandbox_seconds", sandbox_seconds)):
            if amount is not None:
                asked[name] = check.within(name, amount, 0, 1e9)
        for name, path in (("record", record), ("out", out)):
            if path is not None:
                asked[name] = check.path(name, path)
        if apply and project is None:
            raise ValueError("apply changes the folder of project, and there is none; give project, or use out")
        if project is not None and files is not None:
            raise ValueError("project and files were both given; give one of the two")
        if project is not None:
            asked["paths"] = [check.path("project", project)]
        if files is not None:
            asked["files"] = check.files("files", files)
        return self._work("agent.solve", asked, ask, watch)

    def agent_resume(self, id: str = "last", *, ask: Optional[Ask] = None, watch: Optional[Watch] = None) -> AgentResult:
        """Goes on with a run that was killed, called off, or whose model was not there. Nothing happens twice."""
        return self._work("agent.resume", {"id": check.text("id", id)}, ask, watch)

    def agent_replay(self, id: str = "last") -> AgentResult:
        """Computes a run anew from its transcript: no model, no sandbox; fails where it comes out differently."""
        return self._result(self._channel.call("agent.replay", {"id": check.text("id", id)}))

    def agent_runs(self) -> List[KeptRun]:
        """The runs that are kept, the newest first."""
        return [KeptRun.read(one) for one in self._channel.call("agent.runs", {})["items"]]

    def agent_transcript(self, id: str = "last") -> List[Dict[str, Any]]:
        """Every request, answer, tool call, run and decision of a run, in order."""
        return list(self._channel.call("agent.show", {"id": check.text("id", id)})["records"])

    def _work(self, operation: str, asked: Dict[str, Any], ask: Optional[Ask], watch: Optional[Watch]) -> AgentResult:
        for name, one in (("ask", ask), ("watch", watch)):
            if one is not None and not callable(one):
                raise check.wrong(name, "a function", one)
        hear = None if watch is None else _hearing(watch)
        return self._result(self._channel.agent(operation, asked, None if ask is None else _answering(ask), hear))

    def _result(self, done: Dict[str, Any]) -> AgentResult:
        return AgentResult.read(done, self._channel.call("agent.show", {"id": done["id"]}))


def _hearing(watch: Watch) -> Callable[[str], None]:
    def hear(told: str) -> None:
        step = json.loads(told)
        text = step.get("text", step.get("why", ""))
        rest = (step.get("number"), step.get("tool"), step.get("seconds"), step.get("passed"))
        watch(AgentEvent(step["step"], text, *rest))

    return hear


def _answering(ask: Ask) -> Ask:
    def answer(question: str) -> Optional[str]:
        return check.optional_text("the answer of ask", ask(question))

    return answer


def _expected(expect: Optional[str], stdin: str, cases: Sequence[Mapping[str, str]]) -> List[Dict[str, str]]:
    found = []
    if expect is not None:
        found.append({"stdin": check.text("stdin", stdin), "stdout": check.text("expect", expect)})
    elif check.text("stdin", stdin):
        raise ValueError("stdin was given without expect; say which output it must give")
    if isinstance(cases, (str, bytes, Mapping)) or not isinstance(cases, Sequence):
        raise check.wrong("cases", "a list of dicts", cases)
    for index, case in enumerate(cases):
        name = f"cases[{index}]"
        pairs = check.pairs(name, case)
        if "expected" not in pairs or set(pairs) - {"stdin", "expected"}:
            raise ValueError(f"{name} must have expected, and may have stdin; it has {', '.join(pairs) or 'nothing'}")
        found.append({"stdin": pairs.get("stdin", ""), "stdout": pairs["expected"]})
    return found


def _gate(gate: Optional[str]) -> Optional[str]:
    severities = ("info", "low", "medium", "high", "critical")
    if gate is not None and check.text("gate", gate) not in severities:
        raise ValueError(f"gate must be one of {', '.join(severities)} or None, not {gate!r}")
    return gate


def _script(path: Optional[PathLike]) -> Optional[Dict[str, str]]:
    if path is None:
        return None
    script = pathlib.Path(check.path("check_script", path))
    try:
        text = script.read_bytes().decode("utf-8")
    except (OSError, UnicodeDecodeError) as error:
        raise InvalidInput(f"check_script {script}: {error}", "name a text file that you may read") from None
    name = "".join(one if one.isascii() and (one.isalnum() or one == ".") else "_" for one in script.name)
    return {"name": name, "text": text}
