"""What comes of the agent's work."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, Dict, List, Mapping, Optional

from ._wire import build, content
from .findings import Finding
from .results import Status, _Words

__all__ = ["Ending", "Spent", "AgentExecution", "AgentEvent", "AgentResult", "KeptRun"]


class Ending(_Words):
    """The ways in which a run of the agent ends."""

    SOLVED = "solved"
    GAVE_UP = "gave_up"
    OUT_OF_STEPS = "out_of_steps"
    OUT_OF_ATTEMPTS = "out_of_attempts"
    OUT_OF_TIME = "out_of_time"
    OUT_OF_TOKENS = "out_of_tokens"
    OUT_OF_MONEY = "out_of_money"
    OUT_OF_SANDBOX = "out_of_sandbox"
    CIRCLES = "circles"
    MODEL_FAILED = "model_failed"
    NEEDS_HUMAN = "needs_human"
    GATE_NOT_MET = "gate_not_met"

    @classmethod
    def read(cls, told: Any) -> "Ending":
        """From the wire, where a budget is an object of its own."""
        return cls(f"out_of_{told['out_of']}" if isinstance(told, Mapping) else told)


@dataclass(frozen=True)
class Spent:
    """What a run cost; ``money`` is ``None`` where the model's price is not known."""

    steps: int
    attempts: int
    seconds: float
    input_tokens: int
    output_tokens: int
    sandbox_seconds: float
    runs: int
    money: Optional[float] = None


@dataclass(frozen=True)
class AgentExecution:
    """One program that the agent ran in the sandbox, and how it ended."""

    run_id: str
    purpose: str
    status: Status
    seconds: float
    exit_code: Optional[int] = None
    stdout: str = ""
    stderr: str = ""
    level: Optional[str] = None


@dataclass(frozen=True)
class AgentEvent:
    """One step as it happens: ``asking``, ``retrying``, ``answered``, ``tool``, ``running``, ``ran``, ``fixing``, ``judged``."""

    event: str
    text: str = ""
    step: Optional[int] = None
    name: Optional[str] = None
    seconds: Optional[float] = None
    passed: Optional[bool] = None


@dataclass(frozen=True)
class AgentResult:
    """What came of a task; true where it is solved, which ``accepted_by`` judged. ``summary`` is the model's word alone."""

    id: str
    ending: Ending
    reason: str
    spent: Spent
    contents: Dict[str, bytes] = field(repr=False)
    changed: List[str]
    diff: str = field(repr=False)
    folder: str
    accepted_by: Optional[str] = None
    summary: str = ""
    findings: List[Finding] = field(default_factory=list, repr=False)
    runs: List[AgentExecution] = field(default_factory=list, repr=False)
    notes: List[str] = field(default_factory=list)
    written: List[str] = field(default_factory=list)

    @property
    def solved(self) -> bool:
        """Whether it was accepted."""
        return self.ending is Ending.SOLVED

    @property
    def files(self) -> Dict[str, str]:
        """The files as text."""
        return {path: one.decode("utf-8", "replace") for path, one in self.contents.items()}

    @property
    def output(self) -> str:
        """What the last program wrote that was run."""
        return self.runs[-1].stdout if self.runs else ""

    def __bool__(self) -> bool:
        return self.solved

    @classmethod
    def read(cls, done: Mapping[str, Any], kept: Mapping[str, Any]) -> "AgentResult":
        """From the wire: what came of it, and the run as it is kept."""
        outcome = dict(done)
        contents = {one["path"]: content(one["content"]) for one in outcome.pop("files")}
        ending = Ending.read(outcome.pop("ending"))
        findings = [build(Finding, one) for one in outcome.pop("findings", ())]
        spent = build(Spent, outcome.pop("spent"))
        runs = [
            build(AgentExecution, {**one["output"], "purpose": one["input"].get("purpose")})
            for one in kept["records"]
            if one["kind"] == "run" and isinstance(one.get("output"), dict)
        ]
        names = ("id", "reason", "changed", "diff", "accepted_by", "summary", "notes", "written")
        known = {name: outcome[name] for name in names if name in outcome}
        return cls(
            ending=ending, spent=spent, contents=contents, findings=findings, runs=runs, folder=kept["folder"], **known,
        )  # fmt: skip


@dataclass(frozen=True)
class KeptRun:
    """A run in the list of those that are kept; ``ending`` is ``None`` where it can be resumed."""

    id: str
    started: int
    model: str
    task: str
    ending: Optional[Ending] = None

    @classmethod
    def read(cls, told: Mapping[str, Any]) -> "KeptRun":
        """From the wire."""
        ending = None if told.get("ending") is None else Ending.read(told["ending"])
        return cls(told["id"], told["started"], told["model"], told["task"], ending)
