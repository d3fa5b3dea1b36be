"""The adapters, with the real packages."""

from __future__ import annotations

import asyncio
import json
import os
import pathlib
import subprocess
import sys

import pytest

from formicary.adapters import function_calling


@pytest.mark.parametrize("style", function_calling.STYLES)
def test_tool_definitions_are_what_the_apis_want(style: str) -> None:
    for definition in function_calling.tool_definitions(style):
        inner = definition.get("function", definition)
        schema = inner.get("parameters") or inner["input_schema"]
        assert inner["name"] and inner["description"]
        assert schema["type"] == "object" and set(schema["required"]) <= set(schema["properties"])
        assert (definition.get("type") == "function") is style.startswith("openai")
        json.dumps(definition)


@pytest.mark.parametrize(
    ("name", "arguments", "key", "words"),
    [
        ("run_code", {"language": "python", "code": "print(input())", "stdin": "given"}, "stdout", "given"),
        ("run_code", '{"language": "bash", "code": "exit 4"}', "exit_code", "4"),
        ("diagnose_code", {"language": "python", "code": "[][1]"}, "errors", "IndexError"),
        ("review_code", {"language": "python", "code": "eval(input())"}, "findings", "eval"),
        ("run_code", "{broken", "error", "not JSON"),
        ("run_code", "[]", "error", "object"),
        ("run_code", {"language": "python"}, "error", "code"),
        ("run_code", {"language": "python", "code": "1", "path": "/"}, "error", "path"),
        ("review_code", {"language": "klingon", "code": "1"}, "error", "klingon"),
        ("no_such", {}, "error", "no_such"),
    ],
)
def test_tool_calls(name: str, arguments: "str | dict[str, str]", key: str, words: str) -> None:
    answer = json.loads(function_calling.call_tool(name, arguments))
    assert words in json.dumps(answer[key]), answer


def test_the_langchain_tool() -> None:
    pytest.importorskip("langchain_core", reason="langchain-core is not installed")
    from langchain_core.tools import BaseTool

    from formicary.adapters.langchain import SandboxTool

    tool = SandboxTool()
    assert isinstance(tool, BaseTool) and set(tool.args) == {"language", "code", "stdin"}
    told = tool.invoke({"language": "python", "code": "print(6 * 7)"})
    assert "status: success" in told and "42" in told
    failed = asyncio.run(tool.ainvoke({"language": "python", "code": "1 / 0"}))
    assert "execution_error" in failed and "ZeroDivisionError" in failed
    lasting = SandboxTool(session_id="langchain-1")
    lasting.invoke({"language": "python", "code": "x = 5"})
    assert "10" in lasting.invoke({"language": "python", "code": "print(x * 2)"})
    call = {"name": "run_code", "args": {"language": "bash", "code": "echo $((1+1))"}, "id": "1", "type": "tool_call"}
    assert "2" in tool.invoke(call).content


def test_the_magic() -> None:
    pytest.importorskip("IPython", reason="IPython is not installed")
    from IPython.core.interactiveshell import InteractiveShell
    from IPython.utils.capture import capture_output

    shell = InteractiveShell.instance()
    shell.run_line_magic("load_ext", "formicary.adapters.ipython")
    with capture_output() as shown:
        result = shell.run_cell_magic("sandbox", "python", "print('from the magic')")
    assert shown.stdout == "from the magic\n" and result.success
    with capture_output() as shown:
        assert shell.run_cell_magic("sandbox", "bash --timeout 0.5", "sleep 9").status == "timeout"
        assert shell.run_cell_magic("sandbox", "python --session magic-1", "x = 3").success
        assert shell.run_cell_magic("sandbox", "python --session magic-1", "x * 2").text == "6"
        assert shell.run_cell_magic("sandbox", "klingon", "1") is None
        assert shell.run_cell_magic("sandbox", "python --nonsense", "1") is None
    assert "klingon" in shown.stderr and "nonsense" in shown.stderr
    shell.run_line_magic("unload_ext", "formicary.adapters.ipython")


TESTS = """
import os, pytest

LEAK = {leak!r}
if os.path.isdir(os.path.dirname(LEAK)):
    open(LEAK, "w").close()

def test_confined():
    assert os.getuid() == 1000 and not os.path.exists(os.path.dirname(LEAK))

def test_fails(capsys):
    assert 1 == 2, "the reason"

@pytest.mark.skip(reason="not today")
def test_skipped(): ...

@pytest.mark.xfail
def test_expected(): assert False

@pytest.mark.parametrize("n", [1, 2])
def test_many(n, five): assert n < five
"""


def run_pytest(folder: pathlib.Path, *arguments: str) -> "subprocess.CompletedProcess[str]":
    environment = {**os.environ, "PYTEST_ADDOPTS": ""}
    plugin = [] if installed() else ["-p", "formicary.adapters.pytest_plugin"]
    command = [sys.executable, "-m", "pytest", *plugin, "-p", "no:cacheprovider", "--formicary", "-rA", *arguments]
    return subprocess.run(command, cwd=folder, env=environment, capture_output=True, text=True, timeout=120)


def installed() -> bool:
    from importlib import metadata

    points = metadata.entry_points()
    chosen = points.select(group="pytest11") if hasattr(points, "select") else points.get("pytest11", [])
    return any(point.name == "formicary" for point in chosen)


def test_the_pytest_plugin(tmp_path: pathlib.Path) -> None:
    leak = tmp_path / "host" / "leak"
    leak.parent.mkdir()
    folder = tmp_path / "project"
    folder.mkdir()
    for one in (tmp_path, folder):
        one.chmod(0o755)
    (folder / "pytest.ini").write_text("[pytest]\n")
    (folder / "conftest.py").write_text(
        f"import pytest, os\nif os.path.isdir({str(leak.parent)!r}):\n    open({str(leak)!r}, 'w').close()\n"
        "@pytest.fixture\ndef five():\n    return 5\n"
    )
    (folder / "test_it.py").write_text(TESTS.format(leak=str(leak)))
    done = run_pytest(folder)
    assert "1 failed, 3 passed, 1 skipped, 1 xfailed" in done.stdout, done.stdout + done.stderr
    assert "the reason" in done.stdout and "not today" in done.stdout and done.returncode == 1
    assert not leak.exists(), "something of the tests' ran on the host"
    chosen = run_pytest(folder, "-k", "many")
    assert "2 passed" in chosen.stdout and chosen.returncode == 0, chosen.stdout
    (folder / "test_it.py").write_text("def test_a(): pass\n\ndef test_b():\n    import os; os._exit(3)\n\ndef test_c(): pass\n")
    died = run_pytest(folder)
    assert "2 failed, 1 passed" in died.stdout and "ended before this test" in died.stdout, died.stdout
    (folder / "test_it.py").write_text("import no_such_module\n")
    assert "no_such_module" in run_pytest(folder).stdout
