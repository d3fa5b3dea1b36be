"""Wrong types are a TypeError that names the argument; wrong values a ValueError, or the documented dictionary."""

from __future__ import annotations

from typing import Any, Callable

import pytest

import formicary
from formicary import coding

CASES: "list[tuple[type, str, Callable[[], Any]]]" = [
    (TypeError, "code", lambda: formicary.execute(5, "python")),
    (TypeError, "language", lambda: formicary.execute("1", 5)),
    (TypeError, "timeout", lambda: formicary.execute("1", "python", timeout="5")),
    (TypeError, "timeout", lambda: formicary.execute("1", "python", timeout=True)),
    (TypeError, "stdin", lambda: formicary.execute("1", "python", stdin=5)),
    (TypeError, "limits", lambda: formicary.execute("1", "python", limits={"wall_seconds": 1})),
    (TypeError, "args", lambda: formicary.execute("1", "python", args="one")),
    (TypeError, r"args\[1\]", lambda: formicary.execute("1", "python", args=["one", 2])),
    (TypeError, "env", lambda: formicary.execute("1", "python", env=[("A", "b")])),
    (TypeError, "files", lambda: formicary.execute(files=["a"])),
    (TypeError, "nonsense", lambda: formicary.execute("1", "python", nonsense=1)),
    (TypeError, "settings", lambda: formicary.Formicary(5)),
    (TypeError, "memory_bytes", lambda: formicary.Limits(memory_bytes=1.5)),
    (TypeError, "items", lambda: formicary.judge("x")),
    (TypeError, "paths", lambda: formicary.review(5)),
    (TypeError, "pattern", lambda: formicary.search(5)),
    (TypeError, "said", lambda: formicary.diagnose_text(5)),
    (TypeError, "language", lambda: coding.validate_language(None)),
    (TypeError, "session_id", lambda: coding.validate_session_id(5)),
    (TypeError, "timeout", lambda: coding.validate_timeout("x")),
    (TypeError, "memory_limit_mb", lambda: coding.ExecutionLimits(memory_limit_mb="64")),
    (TypeError, "limits", lambda: coding.execute_with_limits("python", "1", limits=5)),
    (TypeError, "environment", lambda: coding.CodeExecutor(environment="x")),
    (TypeError, "allow_network", lambda: coding.SandboxEnvironment(allow_network="no")),
    (TypeError, "command", lambda: coding.sandbox_process_isolation("ls")),
    (TypeError, "files", lambda: coding.DockerSandbox(["main.py"], "python main.py")),
    (TypeError, "subject", lambda: coding.generate_report(5)),
    (TypeError, "patch", lambda: coding.FixVerifier().verify("1", "patch")),
    (TypeError, "code", lambda: coding.prepare_code_file(5, "python")),
    (ValueError, "klingon", lambda: formicary.execute("1", "klingon")),
    (ValueError, "wall_seconds", lambda: formicary.execute("1", "python", timeout=-1)),
    (ValueError, "timeout", lambda: formicary.execute("1", "python", timeout=float("nan"))),
    (ValueError, "code and files", lambda: formicary.execute("1", files={"a": ""})),
    (ValueError, "nothing to run", lambda: formicary.execute()),
    (ValueError, "surrogate", lambda: formicary.execute("\ud800", "python")),
    (ValueError, "network", lambda: formicary.execute("1", "python", network="maybe")),
    (ValueError, "require", lambda: formicary.execute("1", "python", require="very")),
    (ValueError, "escape", lambda: formicary.execute(files={"../escape.py": ""}, language="python")),
    (ValueError, "no/such/folder", lambda: formicary.review("no/such/folder")),
    (ValueError, "metric", lambda: formicary.review(".", gates={"no_such": 1})),
    (ValueError, "memory_bytes", lambda: coding.ExecutionLimits(memory_limit_mb=0)),
    (ValueError, "not_a_type", lambda: coding.analyze_project(".", analysis_types=["not_a_type"])),
    (ValueError, "papyrus", lambda: coding.generate_report([], format="papyrus")),
    (ValueError, "klingon", lambda: coding.prepare_code_file("1", "klingon")),
    (ValueError, "not prepared", lambda: coding.cleanup_temp_files("/etc/passwd")),
    (ValueError, "pattern or rules", lambda: coding.PatternMatcher()),
    (coding.ConfigurationError, "not a folder", lambda: coding.CodeReviewer("/no/such")),
]


@pytest.mark.parametrize(("kind", "words", "call"), CASES)
def test_wrong_input_is_named(kind: type, words: str, call: "Callable[[], Any]") -> None:
    with pytest.raises(kind, match=words):
        call()


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (("klingon", "1"), "klingon"),
        ((5, "1"), "language"),
        (("python", None), "code"),
        (("python", "1", 5), "stdin"),
        (("python", "1", None, "soon"), "timeout"),
        (("python", "1", None, None, "../x"), "session_id"),
        (("python", "1", None, None, "x" * 65), "session_id"),
        (("python", "1", None, None, 7), "session_id"),
        (("python", "\ud800"), "surrogate"),
        (("python", "\x00" * 5_000_000), "code"),
    ],
)
def test_execute_code_never_raises(arguments: "tuple[Any, ...]", words: str) -> None:
    answer = coding.execute_code(*arguments)
    assert answer["status"] == "setup_error" and answer["exit_code"] == -1, answer
    assert words in answer["error_message"], answer["error_message"]
    assert set(answer) >= {"stdout", "stderr", "execution_time", "duration", "usage", "enforcement", "verdict"}
