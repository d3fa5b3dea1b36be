"""The modern interface."""

from __future__ import annotations

import asyncio
import pathlib

import pytest

import formicary
from formicary import Category, Level, Limits, Status, Verdict


@pytest.mark.parametrize(
    ("language", "code", "status", "stdout"),
    [
        ("python", "print(input()[::-1])", Status.SUCCESS, "cba\n"),
        ("bash", "read x; echo $x$x", Status.SUCCESS, "abcabc\n"),
        ("python", "raise SystemExit(7)", Status.NONZERO_EXIT, ""),
        ("python", "import os; os.abort()", Status.SIGNALED, ""),
        ("python", "x = bytearray(10**9)", Status.MEMORY_LIMIT, ""),
    ],
)
def test_a_program_ends_as_it_ends(language: str, code: str, status: Status, stdout: str) -> None:
    result = formicary.execute(code, language, stdin="abc", limits=Limits(memory_bytes=100 << 20))
    assert (result.status, result.stdout) == (status, stdout), result.stderr
    assert result.enforcement.level in (Level.ISOLATED, Level.FULL)
    assert result.success is (status is Status.SUCCESS)
    if not result.success:
        with pytest.raises(RuntimeError):
            result.check()


def test_files_arguments_environment_and_artifacts() -> None:
    result = formicary.execute(
        files={"main.py": "import sys, os, lib\nopen('out.bin', 'wb').write(lib.data)\nprint(sys.argv[1], os.environ['KEY'])",
               "lib.py": "data = bytes([255, 0])"},
        language="python", args=["one two"], env={"KEY": "value"}, collect=["*.bin"],
    )  # fmt: skip
    assert result.stdout == "one two value\n", result.stderr
    assert [(one.path, one.content) for one in result.artifacts] == [("out.bin", b"\xff\x00")]


def test_bytes_that_are_no_text_survive() -> None:
    result = formicary.execute("import sys; sys.stdout.buffer.write(sys.stdin.buffer.read())", "python", stdin=b"\xff\xfe\n")
    assert result.stdout_bytes == b"\xff\xfe\n"
    assert "�" in result.stdout


def test_the_network_is_off_unless_it_is_asked_for() -> None:
    code = "import socket\nprint([name for _, name in socket.if_nameindex()])"
    assert formicary.execute(code, "python").stdout == "['lo']\n"
    assert formicary.execute(code, "python", network=True).success


def test_mounts_are_read_only_unless_said(tmp_path: pathlib.Path) -> None:
    tmp_path.chmod(0o755)
    (tmp_path / "data.txt").write_text("given")
    read = formicary.execute("print(open('/data/data.txt').read())", "python", mounts={str(tmp_path): "/data"})
    assert read.stdout == "given\n", read.stderr
    write = formicary.execute("open('/data/new', 'w')", "python", mounts={str(tmp_path): "/data"})
    assert not write.success and not (tmp_path / "new").exists()


def test_output_comes_while_the_program_runs() -> None:
    code = "import sys\nfor n in range(3):\n    print(n, flush=True)\ninput()\n"
    with formicary.stream(code, "python", limits=Limits(wall_seconds=20)) as run:
        seen = [event for event in run if event.stream == "stdout"]
    assert "".join(event.text for event in seen) == "0\n1\n2\n"
    assert run.result.status is Status.NONZERO_EXIT


def test_a_stream_that_is_left_ends_its_run() -> None:
    with formicary.stream("print(1, flush=True)\nimport time; time.sleep(60)", "python") as run:
        for event in run:
            if event.stream == "stdout":
                break
    from formicary.coding import ExecutionMonitor

    assert ExecutionMonitor().active() == []


def test_async_variants_run_beside_each_other() -> None:
    async def several() -> "list[str]":
        runs = (formicary.execute_async(f"print({n})", "python") for n in range(4))
        return [result.stdout for result in await asyncio.gather(*runs)]

    assert asyncio.run(several()) == ["0\n", "1\n", "2\n", "3\n"]


def test_a_session_keeps_variables_and_files() -> None:
    with formicary.session("python", files={"seed.txt": "41"}) as session:
        assert session.run("x = int(open('seed.txt').read())").success
        cell = session.run("open('out.txt', 'w').write('z')\nx + 1")
        assert cell.text == "42" and cell.execution_count == 2
        failed = session.run("1 / 0")
        assert failed.exception is not None and failed.exception.type == "ZeroDivisionError"
        assert session.get("out.txt").text == "z"
        session.put("more.txt", b"\x00")
        assert {one.path for one in session.files()} >= {"seed.txt", "out.txt", "more.txt"}
        late = session.run("while True: pass", timeout=0.5)
        assert late.status is Status.TIMEOUT
        session.reset()
        assert not session.run("x").success
    with pytest.raises(formicary.FormicaryError):
        session.run("1")


def test_judging_counts_cases() -> None:
    cases = [{"stdin": f"{n}", "expected": f"{n * n}"} for n in range(3)]
    items = [
        {"id": "good", "language": "python", "code": "print(int(input()) ** 2)", "cases": cases},
        {"id": "bad", "language": "python", "code": "print(5)", "cases": cases},
    ]
    report = formicary.judge(items)
    assert [(one.id, one.verdict, one.passed) for one in report] == [
        ("good", Verdict.ACCEPTED, 3),
        ("bad", Verdict.WRONG_ANSWER, 0),
    ]
    assert not report.all_accepted and report.summary["items"] == 2


def test_a_review_names_place_and_remedy(project: pathlib.Path) -> None:
    (project / "bad.py").write_text("import os\n\ndef run(name):\n    os.system('ls ' + name)\n\nrun(input())\n")
    review = formicary.review(project, gates={"findings.security": 0})
    found = [one for one in review if one.category is Category.SECURITY]
    assert found and found[0].line == 4 and found[0].suggestion and found[0].cwe == 78
    assert not review.gate.passed and not review.gate
    assert "<table" in review._repr_html_()
    assert '"version": "2.1.0"' in (formicary.review(project, format="sarif").text or "")


def test_search_rewrite_and_undo(project: pathlib.Path) -> None:
    file = project / "a.py"
    file.write_text("print(1)\nprint(2)\n")
    assert [one.line for one in formicary.search("print($X)", project)] == [1, 2]
    preview = formicary.rewrite("print($X)", "log($X)", project, folder=project)
    assert "+log(1)" in preview.diff and file.read_text().startswith("print")
    written = formicary.rewrite("print($X)", "log($X)", project, folder=project, write=True)
    assert written.written and file.read_text() == "log(1)\nlog(2)\n"
    assert formicary.undo(folder=project) == ["a.py"]
    assert file.read_text() == "print(1)\nprint(2)\n"


def test_refactorings_between_versions(tmp_path: pathlib.Path) -> None:
    old, new = tmp_path / "old.py", tmp_path / "new.py"
    body = "(a, b):\n    total = a + b\n    for n in range(3):\n        total += n * a\n    return total\n"
    old.write_text(f"def compute{body}")
    new.write_text(f"def calculate{body}")
    found = formicary.refactorings(old, new)
    assert any("calculate" in one.description for one in found), found


def test_refactoring_the_index_and_fixes(project: pathlib.Path) -> None:
    (project / "a.py").write_text("import os\n\n\ndef helper(n):\n    return n + 1\n\n\ndef user():\n    return helper(2)\n")
    rename = {"rename": {"file": "a.py", "at": [4, 5], "to": "plus_one"}}
    preview = formicary.refactor(rename, folder=project)
    assert "+    return plus_one(2)" in preview.diff and not preview.written
    kept = formicary.refactor(rename, folder=project, write=True, verify=["python3", "-c", "import ast"])
    assert kept.written and "def plus_one(n)" in (project / "a.py").read_text()
    symbol = formicary.symbols("plus_one", references=True)[0]
    assert (symbol.kind, symbol.line, [one.span.start_line for one in symbol.places]) == ("function", 4, [9])
    assert [one.caller for one in formicary.calls("plus_one").callers] == ["user"]
    assert [one.to for one in formicary.dependencies("a.py", external=True, folder=project)] == ["os"]
    with pytest.raises(formicary.InvalidInput, match="no_such"):
        formicary.symbols("no_such")
    with pytest.raises(formicary.InvalidInput, match="nonsense"):
        formicary.refactor({"nonsense": {}}, folder=project)
    fixed = formicary.review_fix(project, folder=project)
    assert fixed.applied >= 1 and fixed.files == ["a.py"] and "import os" not in (project / "a.py").read_text()
    (project / "a.py").write_text("eval(input())\n")
    baseline = formicary.write_baseline(project, folder=project)
    assert pathlib.Path(baseline).is_file()


def test_fix_mends_by_tests(project: pathlib.Path) -> None:
    (project / "maximum.py").write_text("def maximum(a, b):\n    if a < b:\n        return a\n    return b\n")
    (project / "test_maximum.py").write_text(
        "from maximum import maximum\n\nfor a, b in [(1, 2), (5, 3), (4, 4)]:\n    assert maximum(a, b) == max(a, b)\n"
    )
    report = formicary.fix("maximum.py", test="python3 test_maximum.py", folder=project, seconds=60)
    assert report and report.patches and report.patches[0].verification is not None
    assert report.patches[0].verification.verified and "maximum.py" in report.patches[0].diff


def test_what_the_host_offers() -> None:
    python = next(one for one in formicary.languages() if one.id == "python")
    assert python.available and python.program and "py" in python.aliases
    assert formicary.detect("#!/bin/sh\necho 1\n") == "bash"
    doctor = formicary.doctor()
    assert doctor.isolated and doctor.version == formicary.__version__ and "<table" in doctor._repr_html_()


def test_settings_hold_for_their_client_alone() -> None:
    with formicary.Formicary({"limits.wall_seconds": "0.5"}) as quick:
        assert quick.execute("import time; time.sleep(5)", "python").status is Status.TIMEOUT
    with pytest.raises(ValueError, match="closed"):
        quick.execute("1", "python")
    with pytest.raises(formicary.InvalidConfiguration, match="no.such"):
        formicary.Formicary({"no.such": "1"}).execute("1", "python")


def test_a_page_is_not_steered_by_a_program() -> None:
    result = formicary.execute("print('<script>alert(1)</script>')", "python")
    assert "<script>" not in result._repr_html_()
