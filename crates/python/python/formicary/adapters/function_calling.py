"""Tool definitions for APIs that call functions, and the calls themselves.

>>> definitions = tool_definitions("openai")
>>> [one["function"]["name"] for one in definitions]
['run_code', 'diagnose_code', 'review_code']
>>> import json
>>> json.loads(call_tool("run_code", '{"language": "python", "code": "print(1 + 1)"}'))["stdout"]
'2\\n'
"""

from __future__ import annotations

import json
from typing import Any, Callable, Dict, List, Mapping, Union

from .. import _arguments as check
from ..coding.analysis import StaticAnalyzer
from ..coding.execution import SUPPORTED_LANGUAGES, execute_code
from ..client import Formicary
from .._default import client as _client
from ..errors import FormicaryError

__all__ = ["tool_definitions", "call_tool", "STYLES"]

STYLES = ("openai", "openai-responses", "anthropic", "gemini")

_LANGUAGE = {"type": "string", "enum": sorted(SUPPORTED_LANGUAGES), "description": "The language of the code."}
_CODE = {"type": "string", "description": "The whole program."}

_TOOLS: Dict[str, Dict[str, Any]] = {
    "run_code": {
        "description": (
            "Runs a program in a sandbox without a network and gives its stdout, stderr, exit code and status. "
            "Nothing outside of the sandbox is touched; files are gone afterwards."
        ),
        "properties": {
            "language": _LANGUAGE,
            "code": _CODE,
            "stdin": {"type": "string", "description": "What the program reads from standard input."},
            "timeout": {"type": "number", "description": "Seconds, 1 to 300; 30 where nothing is said."},
        },
    },
    "diagnose_code": {
        "description": "Runs a program in a sandbox and says why it failed: type, place, cause, what to try.",
        "properties": {"language": _LANGUAGE, "code": _CODE},
    },
    "review_code": {
        "description": "Reviews code without running it: bugs, security holes, dead code, complexity, with lines.",
        "properties": {"language": _LANGUAGE, "code": _CODE},
    },
}


def tool_definitions(style: str = "openai") -> List[Dict[str, Any]]:
    """The definitions as an API wants them: ``openai`` (chat completions), ``openai-responses``, ``anthropic``, ``gemini``."""
    if check.text("style", style) not in STYLES:
        raise ValueError(f"style must be one of {', '.join(STYLES)}, not {style!r}")
    return [_definition(style, name, tool) for name, tool in _TOOLS.items()]


def _definition(style: str, name: str, tool: Mapping[str, Any]) -> Dict[str, Any]:
    schema: Dict[str, Any] = {"type": "object", "properties": tool["properties"], "required": ["language", "code"]}
    about = {"name": name, "description": tool["description"]}
    if style == "anthropic":
        return {**about, "input_schema": schema}
    if style == "gemini":
        return {**about, "parameters": schema}
    closed = {**schema, "additionalProperties": False}
    if style == "openai-responses":
        return {"type": "function", **about, "parameters": closed}
    return {"type": "function", "function": {**about, "parameters": closed}}


def call_tool(name: str, arguments: Union[str, Mapping[str, Any]]) -> str:
    """Does what a model asked for; gives JSON text. What the model got wrong stands in ``error``: it can try again."""
    try:
        call = _CALLS[check.text("name", name)]
    except KeyError:
        return _said({"error": f"there is no tool {name!r}; there are {', '.join(_CALLS)}"})
    try:
        given = json.loads(arguments) if isinstance(arguments, str) else arguments
    except ValueError as error:
        return _said({"error": f"the arguments are not JSON: {error}"})
    if not isinstance(given, Mapping):
        return _said({"error": "the arguments must be an object"})
    known = _TOOLS[name]["properties"]
    stray = sorted(set(given) - set(known))
    missing = [word for word in ("language", "code") if word not in given]
    if stray or missing:
        return _said({"error": f"unknown arguments: {stray}; missing arguments: {missing}; known: {list(known)}"})
    try:
        return _said(call(**given))
    except (FormicaryError, TypeError, ValueError) as error:
        return _said({"error": str(error)})


def _run(**given: Any) -> Dict[str, Any]:
    answer = execute_code(**given)
    told = ("stdout", "stderr", "exit_code", "status", "verdict", "error_message", "execution_time")
    return {name: answer[name] for name in told}


def _diagnose(language: str, code: str) -> Dict[str, Any]:
    engine: Formicary = _client
    found = engine.diagnose(code, language)
    errors = [
        {
            "type": one.type,
            "message": one.message,
            "category": one.category,
            "line": None if one.place is None else one.place.line,
            "cause": one.root_cause,
            "suggestions": [suggestion.text for suggestion in one.suggestions],
        }
        for one in found.diagnosis.errors
    ]
    return {"status": found.result.status.value, "stdout": found.result.stdout, "errors": errors}


def _review(language: str, code: str) -> Dict[str, Any]:
    found = StaticAnalyzer().analyze_code(code, language)
    return {
        "findings": [
            {
                "line": one.line_number,
                "severity": one.severity.value,
                "rule": one.rule_id,
                "message": one.message,
                "suggestion": one.suggestion,
            }
            for one in found
        ]
    }


_CALLS: Dict[str, Callable[..., Dict[str, Any]]] = {
    "run_code": _run,
    "diagnose_code": _diagnose,
    "review_code": _review,
}


def _said(answer: Mapping[str, Any]) -> str:
    return json.dumps(answer, ensure_ascii=False)
