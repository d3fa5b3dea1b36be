"""The agent of the first documents: an orchestrator, and a code generator that a model is behind."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Callable, Dict, List, Mapping, Optional, Sequence

from .. import _arguments as check
from .._arguments import Content, PathLike
from .._default import client
from ..agents import AgentEvent, AgentExecution, AgentResult, Ending

__all__ = ["CodeGenerator", "GeneratedCode", "Orchestrator", "TaskResult"]


def _main(result: AgentResult) -> Optional[str]:
    """The file that a reader looks at first: the program among what changed."""
    changed = [path for path in result.changed if path in result.contents]
    named = [path for path in changed if path.rsplit("/", 1)[-1].lower().startswith("main.")]
    return next(iter(named or changed), None)


@dataclass(frozen=True)
class GeneratedCode:
    """Files that a model wrote. ``runs`` says whether the program ended without an error when it was last run."""

    files: Dict[str, str] = field(repr=False)
    main: Optional[str]
    runs: bool
    explanation: str
    result: AgentResult = field(repr=False)

    @property
    def code(self) -> str:
        """The text of the main file."""
        return "" if self.main is None else self.files[self.main]

    def __str__(self) -> str:
        return self.code


class CodeGenerator:
    """Has a model write code. It has been run in the sandbox, and repaired, before it is handed over.

    ``model`` is as for ``formicary.agent``: ``openai:NAME``, …, or without a key ``recorded:FILE`` and ``scripted:FILE``; without
    one it is the configured ``llm.model``.
    """

    def __init__(self, model: Optional[str] = None, *, packages: Sequence[str] = (), timeout: float = 1800.0) -> None:
        self.model = check.optional_text("model", model)
        self.packages = check.words("packages", packages)
        self.timeout = check.within("timeout", timeout, 0, 1e9)

    def generate(
        self,
        task: str,
        *,
        files: Optional[Mapping[str, Content]] = None,
        feedback: Optional[str] = None,
        max_attempts: int = 5,
    ) -> GeneratedCode:
        """Writes code for a task. ``files`` are what is there already; ``feedback`` says what was wrong with them."""
        text = check.text("task", task)
        if feedback is not None:
            text = f"{text}\n\nWhat was wrong with the former version:\n{check.text('feedback', feedback)}"
        result = client.agent(
            text,
            model=self.model,
            files=files,
            packages=self.packages,
            seconds=self.timeout,
            attempts=_count("max_attempts", max_attempts),
        )
        last = result.runs[-1] if result.runs else None
        return GeneratedCode(result.files, _main(result), bool(last and last.exit_code == 0), result.summary, result)


@dataclass(frozen=True)
class TaskResult:
    """What came of a task: whether it is done, the code, what the program wrote, and every run on the way."""

    success: bool
    status: Ending
    message: str
    attempts: int
    code: str = field(repr=False)
    files: Dict[str, str] = field(repr=False)
    output: str
    executions: List[AgentExecution] = field(repr=False)
    result: AgentResult = field(repr=False)

    @property
    def run_id(self) -> str:
        """The run's name, for ``Orchestrator.resume``."""
        return self.result.id

    def __bool__(self) -> bool:
        return self.success

    def __str__(self) -> str:
        return self.output if self.success else self.message


class Orchestrator:
    """Generate, execute, analyse, until the task is done or ``max_attempts`` proposals did not pass.

    Who says that it is done is not believed: the acceptance is run in the sandbox after the last change. ``ask`` answers the
    model's questions (``ask=input`` for a person at the terminal); ``watch`` hears of each step.
    """

    def __init__(
        self,
        generator: Optional[CodeGenerator] = None,
        *,
        model: Optional[str] = None,
        max_attempts: int = 5,
        max_steps: int = 25,
        ask: Optional[Callable[[str], Optional[str]]] = None,
        watch: Optional[Callable[[AgentEvent], object]] = None,
    ) -> None:
        if generator is not None and not isinstance(generator, CodeGenerator):
            raise check.wrong("generator", "a CodeGenerator", generator)
        if generator is not None and model is not None:
            raise ValueError("generator and model were both given; the generator has its model")
        self.generator = generator or CodeGenerator(model)
        self.max_attempts = _count("max_attempts", max_attempts)
        self.max_steps = _count("max_steps", max_steps)
        self.ask = ask
        self.watch = watch

    def run(
        self,
        task: str,
        *,
        files: Optional[Mapping[str, Content]] = None,
        project: Optional[PathLike] = None,
        test: Optional[str] = None,
        expected_output: Optional[str] = None,
        stdin: str = "",
        command: Optional[str] = None,
        apply: bool = False,
    ) -> TaskResult:
        """Solves a task, from nothing, from ``files`` or from a copy of the folder ``project``.

        It is done when the output is ``expected_output`` and the command ``test`` ends with 0, as far as they are given; else
        the program must end with 0 and the model judges what it wrote.
        """
        result = client.agent(
            task,
            model=self.generator.model,
            packages=self.generator.packages,
            seconds=self.generator.timeout,
            files=files,
            project=project,
            test=test,
            expect=expected_output,
            stdin=stdin,
            command=command,
            apply=apply,
            attempts=self.max_attempts,
            steps=self.max_steps,
            ask=self.ask,
            watch=self.watch,
        )
        return _told(result)

    def resume(self, run_id: str = "last") -> TaskResult:
        """Goes on with a run that was interrupted, or whose model was not there."""
        return _told(client.agent_resume(run_id, ask=self.ask, watch=self.watch))


def _told(result: AgentResult) -> TaskResult:
    main, files = _main(result), result.files
    return TaskResult(
        success=result.solved,
        status=result.ending,
        message=result.reason,
        attempts=result.spent.attempts + (1 if result.solved else 0),
        code="" if main is None else files[main],
        files=files,
        output=result.output,
        executions=result.runs,
        result=result,
    )


def _count(name: str, value: int) -> int:
    if check.number(name, value, whole=True) < 1:
        raise ValueError(f"{name} must be at least 1, not {value}")
    return int(value)
