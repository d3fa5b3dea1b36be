"""The quick starts of the first documents, as they were printed, apart from the package's name."""

from __future__ import annotations

import pathlib
import runpy

import pytest

PLACE = pathlib.Path(__file__).with_name("quick_starts")


def test_the_first(project: pathlib.Path, capsys: pytest.CaptureFixture[str]) -> None:
    (project / "src").mkdir()
    (project / "src" / "module.py").write_text("import os\n\ndef f():\n    return 1\n    print('never')\n")
    told = runpy.run_path(str(PLACE / "coding.py"))
    out = capsys.readouterr().out
    assert "Hello from sandbox!\\n" in out and "'status': 'success'" in out
    assert "Root cause: A number is divided by zero." in out
    assert {one.line_number for one in told["issues"]} >= {1, 5} and all(one.suggestion for one in told["issues"])
    assert "module.py:1" in told["report"] and "module.py:5" in told["report"]
    assert told["diagnosis"].diagnosis.line_number == 1


def test_the_second(capsys: pytest.CaptureFixture[str]) -> None:
    runpy.run_path(str(PLACE / "sandbox.py"))
    assert capsys.readouterr().out == "Output: 6\n\n"
