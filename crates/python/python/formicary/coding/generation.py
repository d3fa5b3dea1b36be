"""Writing code with a model, in the sandbox: the name that the first documents give to parts of :mod:`formicary.coding.agent`."""

from __future__ import annotations

from .agent import CodeGenerator, GeneratedCode, Orchestrator, TaskResult

__all__ = ["CodeGenerator", "GeneratedCode", "Orchestrator", "TaskResult"]
