"""Every name of the first documents does what they say of it: one test each, which a stub would fail."""

from __future__ import annotations

import importlib
import json
import os
import pathlib
import stat
import time

import pytest

import formicary
from formicary import coding
from formicary.coding import refactoring, testing
from formicary.results import Status

BAD = "import os\n\n\ndef run(name):\n    os.system('ls ' + name)\n    return 1\n    print('never')\n\n\nrun(input())\n"
KNOTTED = "def f(a, b, c):\n" + "".join(f"    if a == {n} and b or c:\n        a += {n}\n" for n in range(8)) + "    return a\n"


def test_all_names_are_there_and_documented() -> None:
    assert len(coding.__all__) >= 54
    for name in coding.__all__:
        thing = getattr(coding, name)
        assert name == "SUPPORTED_LANGUAGES" or (thing.__doc__ or "").strip(), name


@pytest.mark.parametrize(
    "module",
    [
        "agent", "analysis", "debugging", "exceptions", "execution", "generation", "monitoring", "pattern_matching", "patterns",
        "refactoring", "review", "sandbox", "static_analysis", "testing",
    ],
)  # fmt: skip
def test_every_part_is_a_module(module: str) -> None:
    part = importlib.import_module(f"formicary.coding.{module}")
    assert part.__all__ and all((getattr(part, name).__doc__ or "").strip() for name in part.__all__ if name[0].islower())


def test_limits_around_a_call_hold_where_it_says_nothing() -> None:
    with coding.resource_limits_context(coding.ExecutionLimits(time_limit=1)):
        started = time.monotonic()
        assert coding.execute_code("python", "while True: pass")["status"] == "timeout"
        assert time.monotonic() - started < 20, "the limit of the context, not the usual one"
    assert isinstance(formicary.execute("1", "python"), coding.ExecutionResult)


def test_refactoring_and_testing(tmp_path: pathlib.Path) -> None:
    (tmp_path / "pyproject.toml").write_text("")
    program = tmp_path / "calc.py"
    program.write_text("def f(a):\n    return a + 1\n\n\nprint(f(1))\n")
    report = refactoring.rename(program, 1, 5, "grow", write=True)
    assert report.written and "grow(1)" in program.read_text()
    assert refactoring.undo(folder=tmp_path) and "f(1)" in program.read_text()
    (tmp_path / "test_calc.py").write_text(
        "import unittest\nfrom calc import f\n\n\nclass T(unittest.TestCase):\n    def test_f(self):\n        self.assertEqual(f(1), 2)\n"
    )
    assert testing.run_tests(tmp_path, framework="unittest").passed


def test_supported_languages() -> None:
    wanted = {"python", "javascript", "typescript", "java", "c", "cpp", "go", "rust", "bash"}
    assert wanted <= coding.SUPPORTED_LANGUAGES


@pytest.mark.parametrize(
    ("code", "status", "verdict", "exit_code"),
    [
        ("print('x')", "success", "success", 0),
        ("import sys; sys.exit(4)", "execution_error", "nonzero_exit", 4),
        ("import os, signal; os.kill(os.getpid(), signal.SIGSEGV)", "execution_error", "signaled", -11),
        ("while True: pass", "timeout", "timeout", -1),
        ("x = bytearray(2 << 30)", "execution_error", "memory_limit", None),
    ],
)
def test_execute_code(code: str, status: str, verdict: str, exit_code: "int | None") -> None:
    answer = coding.execute_code("python", code, timeout=1 if status == "timeout" else 20)
    assert (answer["status"], answer["verdict"]) == (status, verdict), answer
    assert exit_code is None or answer["exit_code"] == exit_code
    assert answer["duration"] == answer["execution_time"] > 0
    assert (answer["error_message"] is None) is (status == "success")
    assert answer["enforcement"]["level"] in ("isolated", "full") and answer["usage"]["memory_peak"] > 0


def test_execute_code_reads_stdin_detects_and_keeps_sessions() -> None:
    assert coding.execute_code("python", "print(input() * 2)", stdin="ab")["stdout"] == "abab\n"
    assert coding.execute_code("auto", "#!/bin/bash\necho $((6 * 7))")["stdout"] == "42\n"
    assert coding.execute_code("python", "x = 5", session_id="names-1")["status"] == "success"
    assert coding.execute_code("python", "print(x + 1)", session_id="names-1")["stdout"] == "6\n"
    other = coding.execute_code("bash", "echo 1", session_id="names-1")
    assert other["status"] == "setup_error" and "names-1" in other["error_message"]
    failed = coding.execute_code("python", "1 / 0", session_id="names-1")
    assert failed["status"] == "execution_error" and "ZeroDivisionError" in failed["stderr"]


def test_a_compile_error_is_told() -> None:
    answer = coding.execute_code("typescript", "let x: = 1")
    assert (answer["status"], answer["verdict"]) == ("execution_error", "compile_error") and answer["stderr"], answer
    again = coding.execute_code("typescript", "let x: = 1", session_id="names-ts")
    assert again["verdict"] == "compile_error" and again["stderr"], again


def test_validations() -> None:
    assert coding.validate_language("PY") and not coding.validate_language("")
    assert coding.validate_session_id("a-Z_9") == "a-Z_9" and coding.validate_session_id("a b") is None
    assert coding.validate_session_id("-a") is None
    assert coding.validate_session_id("é") is None and coding.validate_session_id("a\n") is None
    assert [coding.validate_timeout(one) for one in (None, -5, 2.5, 10**9)] == [30, 1, 2.5, 300]


def test_execution_limits_and_execute_with_limits() -> None:
    limits = coding.ExecutionLimits(time_limit=5, memory_limit_mb=50, max_processes=5)
    assert coding.execute_with_limits("python", "x = bytearray(100 << 20)", limits).status is Status.MEMORY_LIMIT
    forks = "import os\nfor _ in range(20):\n    if os.fork() == 0:\n        os.read(0, 1)"
    assert not coding.execute_with_limits("python", forks, limits).success
    assert coding.execute_with_limits("python", "print(input())", limits, stdin="in").stdout == "in\n"


def test_resource_limits_context() -> None:
    slow = "import time; time.sleep(3); print('done')"
    with coding.resource_limits_context(coding.ExecutionLimits(time_limit=0.5)):
        assert coding.execute_with_limits("python", slow).status is Status.TIMEOUT
        with coding.resource_limits_context(coding.ExecutionLimits(memory_limit_mb=40)):
            assert coding.execute_with_limits("python", slow).status is Status.TIMEOUT
    assert coding.execute_with_limits("python", slow).stdout == "done\n"


def test_sandbox_process_isolation() -> None:
    result = coding.sandbox_process_isolation(["sh", "-c", "cat a.txt; id -u; ls /root /home 2>&1 | wc -l"], {"a.txt": "file\n"})
    assert result.stdout.startswith("file\n1000\n"), result
    assert all("enforced" in result.enforcement.protections[name] for name in ("files", "network", "system_calls"))


def test_sandbox_environment_and_code_executor() -> None:
    with coding.SandboxEnvironment(allow_network=False, limits=coding.ExecutionLimits(time_limit=10)) as sandbox:
        executor = coding.CodeExecutor(environment=sandbox)
        assert executor.run_python("print(input())", stdin="x").stdout == "x\n"
        assert executor.run_bash("echo $0 | wc -l").stdout.strip() == "1"
        assert executor.run_javascript("console.log([1,2].length)").stdout == "2\n"
        assert not executor.run_bash("exec 3<>/dev/tcp/127.0.0.1/1").success
        assert executor.run("#!/usr/bin/env python3\nprint(3)").language == "python"
    with pytest.raises(ValueError, match="left"):
        executor.run_python("1")


def test_prepared_files(tmp_path: pathlib.Path) -> None:
    code = coding.prepare_code_file("class Main {}", "java", tmp_path)
    stdin = coding.prepare_stdin_file("1 2", tmp_path)
    assert code.endswith("Main.java") and pathlib.Path(stdin).read_text() == "1 2"
    assert stat.S_IMODE(os.stat(os.path.dirname(code)).st_mode) == 0o700
    assert coding.cleanup_temp_files(code, stdin) == 2 and list(tmp_path.iterdir()) == []
    assert coding.cleanup_temp_files(code) == 0


def test_docker() -> None:
    from formicary.coding.sandbox import docker_state

    state = docker_state()
    assert coding.check_docker_available() is state["available"]
    if not state["available"]:
        assert state["failure"]["hint"]
        with pytest.raises(Exception, match="(?i)docker|socket|engine"):
            coding.run_code_in_docker("python", "print(1)")
        with pytest.raises(Exception, match="(?i)docker|socket|engine"):
            coding.DockerSandbox({"main.py": "print(1)"}, "python main.py").run(5)
        return
    result = coding.run_code_in_docker("python", "print(input())", "in")
    assert (result.stdout, result.enforcement.provider) == ("in\n", "docker"), result
    with formicary.session("python", provider="docker") as session:
        session.run("x = 20")
        assert session.run("x + 1").text == "21"
    missing = coding.DockerSandbox({"main.py": "print(1)"}, "python3 main.py", image="formicary-test-none:1")
    with pytest.raises(formicary.IsolationUnavailable, match="formicary-test-none"):
        missing.run(5)


def test_code_reviewer_and_analyze_file(project: pathlib.Path) -> None:
    (project / "bad.py").write_text(BAD)
    for found in (coding.CodeReviewer(project).analyze_file("bad.py"), coding.analyze_file(project / "bad.py")):
        lines = {one.rule_id: one.line_number for one in found}
        assert lines["command-injection"] == 5 and 7 in lines.values()
        assert all(one.suggestion and one.message for one in found)
    only = coding.analyze_file("bad.py", ["security"])
    assert [one.cwe for one in only] == [78]
    assert isinstance(only[0], coding.AnalysisResult) and only[0].severity in list(coding.SeverityLevel)


def test_analyze_project(project: pathlib.Path) -> None:
    (project / "bad.py").write_text(BAD)
    (project / "good.js").write_text("// Adds.\nexport function add(a, b) { return a + b; }\n")
    summary = coding.analyze_project(project)
    assert isinstance(summary, coding.AnalysisSummary) and summary.files_analyzed == 2
    assert summary.total_issues == len(list(summary)) > 1 and summary.by_category["security"] == 1
    assert 0 < summary.score < 100 and summary.grade in "ABCDF" and summary.hot_spots
    assert summary.metrics.functions == 2
    part = coding.analyze_project(project, ["good.js"], [coding.AnalysisType.SECURITY])
    assert part.files_analyzed == 1 and part.total_issues == 0


def test_check_quality_gates(project: pathlib.Path) -> None:
    (project / "bad.py").write_text(KNOTTED)
    failed = coding.check_quality_gates(project, {"cyclomatic_max": 5})
    assert isinstance(failed, coding.QualityGateResult) and not failed and "cyclomatic_max is" in failed.failures[0]
    assert coding.check_quality_gates(project, {"cyclomatic_max": 50}).passed


def test_generate_report(project: pathlib.Path) -> None:
    (project / "bad.py").write_text(BAD)
    assert coding.generate_report(str(project), "out.html") is True
    assert "command-injection" in (project / "out.html").read_text()
    for form, word in (("sarif", "2.1.0"), ("junit", "<testsuite"), ("csv", "bad.py"), ("json", "findings")):
        assert coding.generate_report(str(project), f"out.{form}", form) is True
        assert word in (project / f"out.{form}").read_text()
    issues = coding.analyze_file("bad.py")
    issues[:] = [one for one in issues if one.rule_id == "command-injection"]
    report = coding.generate_report(issues)
    assert isinstance(report, str) and "command-injection" in report and "unreachable" not in report
    assert isinstance(coding.generate_report([]), str)
    assert coding.generate_report(project_root=project, output_path="named.html", format="html") is True
    with pytest.raises(TypeError):
        coding.generate_report(output_path="nothing.html")
    assert json.loads(str(coding.generate_report(coding.analyze_project("."), format="json")))["findings"]


def test_quality_dashboard(project: pathlib.Path) -> None:
    (project / "bad.py").write_text(BAD)
    coding.QualityDashboard(project, record=True)
    board = coding.QualityDashboard(project)
    assert board.grade in "ABCDF" and board.grades["security"] != "A" and board.debt_minutes > 0
    assert board.hot_spots[0].file == "bad.py" and len(board.trend) == 1
    board.save("board.html")
    assert "<html" in (project / "board.html").read_text()


def test_pyscn_analyzer(project: pathlib.Path) -> None:
    (project / "knot.py").write_text(KNOTTED + "\n\ndef g():\n    return 1\n    print(2)\n")
    report = coding.PyscnAnalyzer().analyze(project / "knot.py")
    assert report.origin == "native" and 0 < report.health_score <= 100
    worst = coding.PyscnAnalyzer().analyze_complexity(project / "knot.py")[0]
    assert (worst.name, worst.start_line) == ("f", 1) and worst.complexity > 10
    assert coding.PyscnAnalyzer().detect_dead_code(project / "knot.py")
    with pytest.raises(coding.PyscnError):
        coding.PyscnAnalyzer().analyze("no/such.py")


def test_dead_code_and_complexity_suggestions(project: pathlib.Path) -> None:
    (project / "bad.py").write_text(BAD + "\n\n" + KNOTTED)
    dead = coding.CodeReviewer(project).dead_code()
    assert all(isinstance(one, coding.DeadCodeFinding) for one in dead) and 7 in {one.line_number for one in dead}
    advice = coding.CodeReviewer(project).complexity_suggestions(10)
    assert isinstance(advice[0], coding.ComplexityReductionSuggestion)
    assert advice[0].function_name == "f" and advice[0].current_complexity > 10 and advice[0].suggestion


def test_architecture_violation(project: pathlib.Path) -> None:
    (project / "one.py").write_text("import two\n\n\ndef a():\n    return two.b\n")
    (project / "two.py").write_text("import one\n\n\ndef b():\n    return one.a\n")
    found = coding.CodeReviewer(project).architecture_violations()
    assert found and isinstance(found[0], coding.ArchitectureViolation) and found[0].line_number == 1


def test_code_metrics_and_metric_collector(project: pathlib.Path) -> None:
    (project / "a.py").write_text("# why\ndef f(x):\n    if x:\n        return 1\n    return 2\n\n\nclass A:\n    pass\n")
    metrics = coding.MetricCollector().collect(project / "a.py")
    assert isinstance(metrics, coding.CodeMetrics)
    assert (metrics.functions, metrics.classes, metrics.cyclomatic_complexity) == (1, 1, 2)
    assert (metrics.lines_of_code, metrics.comment_lines, metrics.blank_lines) == (6, 1, 2)
    assert coding.MetricCollector().by_file(project)["a.py"].functions[0].name == "f"


def test_static_analyzer_and_language() -> None:
    go = 'package main\n\nfunc main() {\n\tx := 1\n\tx = x\n}\n'
    assert coding.StaticAnalyzer().analyze_code(go, coding.Language.GO)
    assert coding.StaticAnalyzer().complexity("def f(a):\n    return 1 if a else 2\n") == {"f": 2}
    assert {one.value for one in coding.Language} == set(coding.SUPPORTED_LANGUAGES)


@pytest.mark.parametrize(
    ("language", "code", "cwe"),
    [
        ("python", "import pickle\npickle.loads(input().encode())\n", 502),
        ("javascript", "const cp = require('child_process');\ncp.exec('ls ' + process.argv[2]);\n", 78),
        ("c", '#include <stdio.h>\nint main(void) { char b[8]; gets(b); return 0; }\n', None),
    ],
)
def test_security_scanner(language: str, code: str, cwe: "int | None") -> None:
    found = coding.SecurityScanner().scan_code(code, language)
    assert found and (cwe is None or cwe in {one.cwe for one in found}), found


def test_review_errors(project: pathlib.Path) -> None:
    for kind in (coding.ConfigurationError, coding.PyscnError, coding.ToolNotFoundError):
        assert issubclass(kind, coding.CodeReviewError)
    (project / "pyproject.toml").write_text("[tool.formicary.review]\nnonsense = 1\n")
    (project / "formicary.toml").write_text("[review]\nnonsense = 1\n")
    (project / "a.py").write_text("x = 1\n")
    with pytest.raises(coding.ConfigurationError, match="nonsense"):
        coding.analyze_project(project)


def test_execution_monitor_and_metrics_collector() -> None:
    before = coding.MetricsCollector().by_language().get("bash", {}).get("finished", 0)
    answer = coding.execute_code("bash", "echo 12345; exit 3")
    record = coding.ExecutionMonitor().get(answer["run_id"])
    assert record is not None and (record.stage, record.status, record.language) == ("finished", "nonzero_exit", "bash")
    assert record.stdout_bytes == 6 and record.duration >= 0
    told = coding.MetricsCollector().collect()
    assert told["by_language"]["bash"]["finished"] == before + 1 and told["duration"]["p99"] > 0
    assert 0 < coding.MetricsCollector().success_rate() < 1
    assert coding.ExecutionMonitor().get("none") is None


def test_resource_monitor() -> None:
    with coding.ResourceMonitor() as monitor:
        coding.execute_code("python", "x = bytearray(60 << 20)\nimport time\ntime.sleep(0.6)")
    line = monitor.timeline(monitor.run_ids[0])
    assert line.samples == len(line.points) > 0 and line.peak_memory > 50 << 20
    assert monitor.timeline("none").points == []


def test_pattern_matcher(project: pathlib.Path) -> None:
    (project / "a.go").write_text('package main\n\nimport "fmt"\n\nfunc main() { fmt.Println(1, 2) }\n')
    found = coding.PatternMatcher("fmt.Println($$$A)", "go").search(project)
    assert [(one.file, one.line, one.captures["A"].text) for one in found] == [("a.go", 5, "1, 2")]


def test_clone_detector(project: pathlib.Path) -> None:
    body = "".join(f"    total += values[{n}] * weights[{n}]\n    if total > {n}:\n        total -= 1\n" for n in range(6))
    (project / "a.py").write_text(f"def first(values, weights):\n    total = 0\n{body}    return total\n")
    renamed = body.replace("total", "result").replace("values", "items")
    (project / "b.py").write_text(f"def second(items, weights):\n    result = 0\n{renamed}    return result\n")
    groups = coding.CloneDetector().detect(project)
    assert any({place.file for place in one.places} == {"a.py", "b.py"} and one.similarity > 0.8 for one in groups)


def test_ast_transformer(project: pathlib.Path) -> None:
    transformer = coding.ASTTransformer("$A == None", "$A is None", "python")
    assert transformer.transform("if f(x) == None: # kept\n    pass\n") == "if f(x) is None: # kept\n    pass\n"
    (project / "a.py").write_text("a = b == None\n")
    assert "+a = b is None" in transformer.preview(project).diff
    assert (project / "a.py").read_text() == "a = b == None\n"
    assert transformer.apply(project, write=True).written and (project / "a.py").read_text() == "a = b is None\n"


@pytest.mark.parametrize(
    ("language", "stderr", "kind", "line"),
    [
        ("python", 'Traceback (most recent call last):\n  File "main.py", line 3, in f\n    d["k"]\nKeyError: \'k\'\n', "KeyError", 3),
        ("python", "KeyError: 'k'", "KeyError", None),
        ("javascript", "/work/main.js:2\nnull.x\n     ^\n\nTypeError: Cannot read properties of null (reading 'x')\n    at Object.<anonymous> (/work/main.js:2:6)\n", "TypeError", 2),
        ("rust", "thread 'main' panicked at main.rs:4:5:\nindex out of bounds: the len is 1 but the index is 5\n", None, 4),
    ],
)  # fmt: skip
def test_error_analyzer(language: str, stderr: str, kind: "str | None", line: "int | None") -> None:
    found = coding.ErrorAnalyzer().analyze("", stderr, 1, language=language)
    assert isinstance(found, coding.ErrorDiagnosis) and found.cause and str(found) == found.cause
    assert kind is None or found.error_type == kind
    assert found.line_number == line
    assert coding.ErrorAnalyzer().analyze("fine", "", 0) is None


def test_patch() -> None:
    patch = coding.Patch("a.py", "a\nb\nc\n", "a\nB\nB2\nc\n")
    assert (patch.start_line, patch.end_line, patch.replacement) == (2, 2, "B\nB2\n")
    assert patch.apply("a\nb\nc\n") == patch.patched and patch.apply("a\nb\nc\nd\n") == "a\nB\nB2\nc\nd\n"
    assert "-b\n+B\n+B2\n" in patch.diff
    with pytest.raises(ValueError, match="does not fit"):
        patch.apply("a\nother\nc\n")


BROKEN = "def mean(values):\n    total = 0\n    for value in values:\n        total += valeu\n    return total / len(values)\n\nprint(mean([1, 2, 3]))\n"


def test_patch_generator_and_fix_verifier() -> None:
    diagnosis = coding.Debugger().diagnose(BROKEN, "", "", 1, "python")
    assert diagnosis is not None and diagnosis.error_type == "NameError" and diagnosis.line_number == 4
    patches = coding.PatchGenerator().generate(BROKEN, diagnosis, language="python")
    right = next(one for one in patches if one.replacement == "        total += value\n")
    assert right.start_line == right.end_line == 4
    proof = coding.FixVerifier().verify(BROKEN, right, expected_output="2.0", language="python")
    assert isinstance(proof, coding.VerificationResult) and proof.success, proof.message
    assert len(proof.after) == 2 and not proof.before.success
    nothing = coding.Patch("main.py", BROKEN, BROKEN + "# words\n")
    refused = coding.FixVerifier().verify(BROKEN, nothing, language="python")
    assert not refused and "still fails" in refused.message


def test_debugger_closes_the_loop() -> None:
    found = coding.Debugger().debug(code=BROKEN, stderr="NameError: name 'valeu' is not defined", exit_code=1)
    # Without tests a patch is a suggestion: nothing says that it is right.
    assert isinstance(found, coding.DebugResult) and not found.fixed and found.fixed_code is None
    assert coding.execute_code("python", found.suggested_code)["stdout"] == "2.0\n"
    assert coding.Debugger().debug(code="print(1)", exit_code=0).diagnosis is None
    wrong = "def larger(a, b):\n    return a if a < b else b\n"
    tests = "from main import larger\n\nassert larger(1, 2) == 2 and larger(5, 3) == 5\n"
    mended = coding.Debugger().debug(code=wrong, stderr="AssertionError", language="python", test_code=tests)
    assert mended.fixed and mended.patches[0].verified and "a > b" in str(mended.fixed_code), mended
