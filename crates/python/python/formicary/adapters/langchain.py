"""A LangChain tool: ``pip install formicary[langchain]``, then ``SandboxTool()`` among an agent's tools."""

from __future__ import annotations

import asyncio
from typing import Any, Dict, Optional

try:
    from langchain_core.tools import BaseTool
except ImportError as error:
    raise ImportError("the LangChain adapter needs langchain-core: pip install 'formicary[langchain]'") from error
from pydantic import BaseModel, Field

from ..coding.execution import execute_code

__all__ = ["SandboxTool", "SandboxInput"]


class SandboxInput(BaseModel):
    """What the tool is given."""

    language: str = Field(description="The language: python, javascript, typescript, java, c, cpp, go, rust or bash.")
    code: str = Field(description="The whole program.")
    stdin: str = Field(default="", description="What the program reads from standard input.")


class SandboxTool(BaseTool):
    """Runs code in Formicary's sandbox. With a ``session_id`` variables and files stay from call to call."""

    name: str = "run_code"
    description: str = (
        "Runs a program in a sandbox without a network and gives what it wrote, its exit code and its status. "
        "Use it to compute, and to test code before answering."
    )
    args_schema: Optional[Any] = SandboxInput
    timeout: float = 30
    session_id: Optional[str] = None

    def _run(self, language: str, code: str, stdin: str = "", **_: Any) -> str:
        return _told(execute_code(language, code, stdin or None, self.timeout, self.session_id))

    async def _arun(self, language: str, code: str, stdin: str = "", **_: Any) -> str:
        return await asyncio.to_thread(self._run, language, code, stdin)


def _told(answer: Dict[str, Any]) -> str:
    """Words that a model reads: the end first, then what was written."""
    lines = [f"status: {answer['status']} ({answer['verdict']}), exit code {answer['exit_code']}"]
    if answer["error_message"]:
        lines.append(f"error: {answer['error_message']}")
    for name in ("stdout", "stderr"):
        if answer[name]:
            lines.append(f"{name}:\n{answer[name].rstrip()}")
    return "\n".join(lines)
