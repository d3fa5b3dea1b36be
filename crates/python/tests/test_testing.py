"""Tests that are run, written and judged; programs that are looked into."""

from __future__ import annotations

import pathlib
from typing import Any, Callable

import pytest

import formicary
from formicary import TestStatus
from formicary.inspection import StopReason

CALC = "def clamp(x: int, low: int, high: int) -> int:\n    if x < low:\n        return low\n    return high if x > high else x\n"
TESTS = """import unittest
import calc


class Clamp(unittest.TestCase):
    def test_low(self):
        self.assertEqual(calc.clamp(1, 2, 3), 2)

    def test_wrong(self):
        self.assertEqual(calc.clamp(5, 2, 3), 4)

    @unittest.skip("later")
    def test_later(self):
        pass
"""


def test_tests_are_run(project: pathlib.Path) -> None:
    (project / "calc.py").write_text(CALC)
    (project / "test_calc.py").write_text(TESTS)
    report = formicary.run_tests(framework="unittest", coverage=True)
    assert not report and (report.framework, report.language) == ("unittest", "python")
    assert {one.name: one.status for one in report} == {
        "test_low": TestStatus.PASSED, "test_wrong": TestStatus.FAILED, "test_later": TestStatus.SKIPPED
    }  # fmt: skip
    wrong = report.failures[0]
    assert wrong.name == "test_wrong" and wrong.place is not None and str(wrong.place) == "test_calc.py:10"
    assert wrong.message is not None and "3 != 4" in wrong.message and "test_wrong" in report.junit
    assert [one.covered for one in report.coverage if one.file == "calc.py"] == [4]
    one = formicary.run_tests("test_calc.py", filter="low")
    assert one.passed and one.totals.passed == 1 and len(one.failures) == 0


def test_tests_are_written_and_pass(project: pathlib.Path) -> None:
    made = formicary.generate_tests(files={"calc.py": CALC}, functions=["clamp"], style="unittest", seconds=5)
    assert made and made.files[0].module == "calc" and made.files[0].covered == made.files[0].lines
    assert list(project.iterdir()) == [project / "pyproject.toml"]
    name, text = next(iter(made.texts.items()))
    assert formicary.run_tests(files={"calc.py": CALC, name: text}).passed
    broken = CALC.replace("return low", "return low - 1")
    assert not formicary.run_tests(files={"calc.py": broken, name: text}).passed


def test_tests_are_judged() -> None:
    weak = TESTS.replace("(5, 2, 3), 4", "(1, 2, 3), 2")
    strong = weak + "\n    def test_more(self):\n        self.assertEqual([calc.clamp(n, 2, 4) for n in range(6)], [2, 2, 2, 3, 4, 4])\n"
    scores = []
    for tests in (weak, strong):
        report = formicary.mutate(files={"calc.py": CALC, "test_calc.py": tests}, only=["calc.py"], seconds=60)
        assert report.mutants == report.killed + report.timed_out + report.survived + report.not_covered > 0
        scores.append(report.score)
        if tests is weak:
            assert any(one.line == 4 and one.status == "not_covered" and one.diff for one in report.survivors)
    assert scores[0] < scores[1]


def test_a_program_is_looked_into() -> None:
    code = "def add(a, b):\n    total = a + b\n    return total\n\nfor n in range(3):\n    add(n, 10)\nprint('end')\n{}['key']\n"
    seen = formicary.inspect(
        code, "python", breakpoints=["add if a == 1", "main.py:3 if total == 12"], print=["a * 100", "nothing"], logs={"6": "n is {n}"}
    )
    assert [stop.reason for stop in seen] == [StopReason.BREAKPOINT, StopReason.BREAKPOINT, StopReason.EXCEPTION]
    first, second, last = seen
    assert first["a * 100"] == "100" and second.line == 3 and second.variables["total"] == "12"
    assert second.frame is not None and second.frame.function == "add" and "KeyError" in last.text
    with pytest.raises(ValueError, match="nothing"):
        first["nothing"]
    with pytest.raises(KeyError):
        first["never asked"]
    assert seen.logs == ["n is 0", "n is 1", "n is 2"] and "end" in seen.output and seen.exit_code == 1
    ended = formicary.inspect(code, "python", breakpoints="add", stops=1)
    assert len(ended) == 1 and ended.exit_code is None


@pytest.mark.parametrize(
    ("kind", "words", "call"),
    [
        (ValueError, "target and files", lambda: formicary.run_tests(".", files={"a.py": ""})),
        (ValueError, "no/such", lambda: formicary.run_tests("no/such")),
        (ValueError, "papyrus", lambda: formicary.run_tests(files={"test_a.py": ""}, framework="papyrus")),
        (ValueError, "timeout", lambda: formicary.run_tests(files={"a.py": ""}, timeout=1e6)),
        (TypeError, "only", lambda: formicary.run_tests(files={"a.py": ""}, only="x")),
        (ValueError, "style", lambda: formicary.generate_tests(files={"a.py": ""}, style="loud")),
        (ValueError, "seconds", lambda: formicary.generate_tests(files={"a.py": ""}, seconds=0)),
        (TypeError, "most", lambda: formicary.mutate(files={"a.py": ""}, most=1.5)),
        (ValueError, "no files", lambda: formicary.mutate(files={})),
        (ValueError, "breakpoints", lambda: formicary.inspect("1", "python", breakpoints=[""])),
        (TypeError, "logs", lambda: formicary.inspect("1", "python", logs=5)),
        (ValueError, "klingon", lambda: formicary.inspect("1", "klingon")),
    ],
)
def test_wrong_input_is_named(kind: type, words: str, call: "Callable[[], Any]") -> None:
    with pytest.raises(kind, match=words):
        call()
