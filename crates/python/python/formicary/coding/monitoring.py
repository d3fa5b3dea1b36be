"""What is known of the runs of this process."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, Dict, List, Optional

from .. import _arguments as check
from .._default import client
from .._scoped import Scoped
from .._wire import build
from ..client import Formicary
from ..results import Usage

__all__ = ["ExecutionMonitor", "MetricsCollector", "ResourceMonitor", "RunRecord", "Timeline"]


@dataclass(frozen=True)
class RunRecord:
    """One run as it is known by its events; ``stage`` is accepted, running, between, finished or failed."""

    run_id: str
    language: str
    provider: str
    started_ms: int
    updated_ms: int
    stage: str
    stdout_bytes: int
    stderr_bytes: int
    status: Optional[str] = None
    phase: Optional[str] = None

    @property
    def duration(self) -> float:
        """Seconds from its first event to its latest."""
        return (self.updated_ms - self.started_ms) / 1000


class ExecutionMonitor:
    """Which runs are under way, and what became of the last ones. Runs may overlap.

    >>> from formicary.coding import execute_code
    >>> answer = execute_code("python", "print('seen')")
    >>> ExecutionMonitor().get(answer["run_id"]).status
    'success'
    """

    def __init__(self, engine: Optional[Formicary] = None) -> None:
        self._engine = engine or client

    def active(self) -> List[RunRecord]:
        """The runs that are under way."""
        return self._runs("active")

    def history(self) -> List[RunRecord]:
        """The runs that ended, latest first."""
        return self._runs("ended")

    def get(self, run_id: str) -> Optional[RunRecord]:
        """One run, under way or ended."""
        check.text("run_id", run_id)
        return next((one for one in self.active() + self.history() if one.run_id == run_id), None)

    def _runs(self, which: str) -> List[RunRecord]:
        return [build(RunRecord, one) for one in self._engine._channel.call("runs", {"most": 10_000})[which]]


class MetricsCollector:
    """Counts and percentiles over all runs of this process, and by language."""

    def __init__(self, engine: Optional[Formicary] = None) -> None:
        self._engine = engine or client

    def collect(self) -> Dict[str, Any]:
        """Everything at this moment: counts by status, ``duration`` and ``memory`` with p50, p90, p99 and max."""
        return dict(self._engine._channel.call("metrics", {}))

    def by_language(self) -> Dict[str, Any]:
        """The same for each language."""
        return dict(self.collect()["by_language"])

    def success_rate(self) -> float:
        """Runs that ended well, of those that ended; 0 where there were none."""
        told = self.collect()
        return told["by_status"].get("success", 0) / told["finished"] if told["finished"] else 0.0


@dataclass(frozen=True)
class ResourcePoint:
    """One look at a run."""

    phase: str
    elapsed: float
    usage: Usage


@dataclass(frozen=True)
class Timeline:
    """A run's use of CPU, memory and I/O over time."""

    points: List[ResourcePoint] = field(default_factory=list)
    samples: int = 0

    @property
    def peak_memory(self) -> int:
        """The largest memory that was seen, in bytes."""
        return max((one.usage.memory_peak or 0 for one in self.points), default=0)


class ResourceMonitor(Scoped):
    """What runs used over time. As a context it remembers the runs that were started inside.

    >>> from formicary.coding import execute_code
    >>> with ResourceMonitor() as monitor:
    ...     _ = execute_code("python", "import time; x = bytearray(30 << 20); time.sleep(0.4)")
    >>> len(monitor.run_ids), monitor.timeline(monitor.run_ids[0]).samples > 0
    (1, True)
    """

    def __init__(self, engine: Optional[Formicary] = None) -> None:
        self._engine = engine or client
        self._monitor = ExecutionMonitor(self._engine)
        self._before: List[str] = []
        self.run_ids: List[str] = []

    def timeline(self, run_id: str) -> Timeline:
        """One run's use over time; empty where it is not known any more."""
        told = self._engine._channel.call("runs.timeline", {"run_id": check.text("run_id", run_id)})
        return Timeline() if told is None else build(Timeline, told)

    def __enter__(self) -> "ResourceMonitor":
        self._before = [one.run_id for one in self._all()]
        return self

    def _leave(self) -> None:
        known = set(self._before)
        self.run_ids = [one.run_id for one in reversed(self._all()) if one.run_id not in known]

    def _all(self) -> List[RunRecord]:
        return self._monitor.active() + self._monitor.history()
