"""Every tool through the official Python client: `client.py BINARY stdio|http auto|legacy`.

Exits with 0 and one line where everything is as it should be; with a traceback where it is not.
"""

import base64
import contextlib
import json
import os
import pathlib
import shutil
import signal
import subprocess
import sys
import tempfile
import time

import anyio
from mcp import Client, MCPError, StdioServerParameters

BINARY, TRANSPORT, MODE = sys.argv[1:]
GCD = "def gcd(a, b):\n    if b == 0:\n        return a\n    else:\n        return gcd(a % b, b)\n"
TEST = "from gcd import gcd\n\nassert gcd(12, 18) == 6\nassert gcd(7, 3) == 1\nassert gcd(5, 0) == 5\n"
COPY = "def total_%s(items):\n    result = 0\n    for item in items:\n        if item > 10:\n            result += item * 2\n        else:\n            result += item\n    print(result)\n    return result\n"
SUITE = "import unittest\n\nfrom calc import mean\n\n\nclass Mean(unittest.TestCase):\n    def test_some(self):\n        self.assertEqual(mean([1, 3]), 2)\n\n    def test_wrong(self):\n        self.assertEqual(mean([1, 3]), 5)\n\n    @unittest.skip(\"later\")\n    def test_later(self):\n        pass\n"
CALC = "def mean(items: list[int]) -> float:\n    if not items:\n        return 0.0\n    return sum(items) / len(items)\n"
# One red pixel.
PNG = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8BQDwAEhQGAhKmMIQAAAABJRU5ErkJggg=="
CALLED = set()
CHECKS = 0


def check(condition, what):
    global CHECKS
    CHECKS += 1
    if not condition:
        raise AssertionError(what)


def project():
    folder = pathlib.Path(tempfile.mkdtemp(prefix="formicary-mcp-"))
    files = {
        "formicary.toml": "",
        "gcd.py": GCD,
        "test_gcd.py": TEST,
        "a.py": COPY % "a" + "\n\n" + COPY % "b",
        "use.py": "import os\n\n\ndef run(text):\n    return eval(text)\n\n\nprint(1)\nprint(2)\n",
    }
    files |= {"suite/calc.py": CALC, "suite/test_calc.py": SUITE, "linked/test_calc.py": SUITE}
    for name, text in files.items():
        (folder / name).parent.mkdir(exist_ok=True)
        (folder / name).write_text(text)
    os.symlink("/usr/lib", folder / "linked/node_modules")
    os.symlink("/etc/hostname", folder / "outside.py")
    return folder


class Server:
    """One server over HTTP, or the way to start one for each client."""

    def __init__(self, folder, *options):
        self.arguments = ["mcp", "--root", str(folder), *options]
        self.process = None
        if TRANSPORT == "http":
            command = [BINARY, *self.arguments, "--http", "127.0.0.1:0", "--json"]
            self.process = subprocess.Popen(command, stdout=subprocess.PIPE, text=True)
            self.url = json.loads(self.process.stdout.readline())["url"]

    def client(self):
        if self.process:
            return Client(self.url, mode=MODE)
        environment = {**os.environ}
        return Client(StdioServerParameters(command=BINARY, args=self.arguments, env=environment), mode=MODE)

    def __enter__(self):
        return self

    def __exit__(self, kind, *_):
        if not self.process:
            return
        self.process.send_signal(signal.SIGTERM)
        try:
            code = self.process.wait(20)
        except subprocess.TimeoutExpired:
            self.process.kill()
            code = "killed"
        check(kind or code == 0, f"the server ends well on SIGTERM: {code}")


async def call(client, tool, arguments=None, **options):
    CALLED.add(tool)
    result = await client.call_tool(tool, arguments or {}, **options)
    check(not result.is_error, f"{tool}: {result.content}")
    check(result.content and result.content[0].type == "text" and result.content[0].text, f"{tool}: no text")
    return result.structured_content, result.content


async def refused(client, tool, arguments, expected):
    result = await client.call_tool(tool, arguments)
    text = result.content[0].text
    check(result.is_error, f"{tool} {arguments} was not refused: {text}")
    check(expected in text, f"{tool} {arguments}: {expected!r} is not in {text!r}")
    check(set(result.structured_content["error"]) >= {"kind", "message"}, text)


async def execution(client):
    result, content = await call(client, "execute_code", {"language": "python", "code": "print(6 * 7)"})
    check((result["status"], result["stdout"]) == ("success", "42\n"), result)
    check(result["enforcement"]["level"] == "full" or result["enforcement"]["level"], result)
    check("42" in content[0].text, content)
    result, _ = await call(client, "execute_code", {"code": "import sys\nsys.exit(3)", "language": "python"})
    check((result["status"], result["exit_code"]) == ("nonzero_exit", 3), "a failing program is no error")
    result, _ = await call(client, "execute_code", {"language": "c", "code": "int main( {"})
    check(result["status"] == "compile_error" and result["compile"]["stderr"], result)
    slow = {"language": "python", "code": "while True: pass", "timeout_seconds": 0.5}
    result, _ = await call(client, "execute_code", slow)
    check(result["status"] == "timeout", result)
    result, _ = await call(client, "execute_code", {"path": "use.py"})
    check(result["stdout"] == "1\n2\n", result)
    files = [{"path": "main.py", "content": "import part\nprint(part.x)"}, {"path": "part.py", "base64": base64.b64encode(b"x = 5").decode()}]
    result, _ = await call(client, "execute_code", {"files": files, "stdin": "", "limits": {"memory_bytes": 2.5e8}})
    check(result["stdout"] == "5\n", result)
    result, _ = await call(client, "list_languages")
    check(any(language["id"] == "python" for language in result["languages"]), result)


async def outputs(client):
    flood = {"language": "python", "code": "print('first'); print('x' * 300000); print('last')"}
    result, content = await call(client, "execute_code", flood)
    check(len(json.dumps(result)) < 45000 and len(content[0].text) < 20000, "the answer is short")
    check("first" in result["stdout"] and "last" in result["stdout"] and "left out" in result["stdout"], "head and tail")
    links = {block.name: block.uri for block in content if block.type == "resource_link"}
    whole = (await client.read_resource(links["stdout.txt"])).contents[0].text
    check(whole == "first\n" + "x" * 300000 + "\nlast\n", "the whole is kept")
    listed = {resource.uri for resource in (await client.list_resources()).resources}
    check(set(links.values()) <= listed, "what is kept is listed")
    part, _ = await call(client, "read_output", {"uri": links["stdout.txt"], "offset": 300000})
    check(part["text"].endswith("\nlast\n") and part["next_offset"] is None, part)
    draw = {"language": "python", "code": f"import base64\nopen('dot.png', 'wb').write(base64.b64decode('{PNG}'))\nopen('t.csv', 'w').write('a,b')", "collect": ["*.png", "*.csv"]}
    result, content = await call(client, "execute_code", draw)
    images = [block for block in content if block.type == "image"]
    check(len(images) == 1 and images[0].mime_type == "image/png" and images[0].data == PNG, "images are images")
    table = next(one for one in result["artifacts"] if one["path"] == "t.csv")
    check((await client.read_resource(table["uri"])).contents[0].text == "a,b", table)
    dot = next(one for one in result["artifacts"] if one["path"] == "dot.png")
    check((await client.read_resource(dot["uri"])).contents[0].blob == PNG, dot)
    try:
        await client.read_resource("formicary://output/0/none")
        check(False, "an unknown resource was read")
    except MCPError as error:
        check("not kept" in str(error), error)


async def sessions(client):
    made, _ = await call(client, "session_create", {"language": "python", "files": [{"path": "data.txt", "content": "seven"}]})
    name = made["id"]
    await call(client, "session_run", {"id": name, "code": "x = 20"})
    result, content = await call(client, "session_run", {"id": name, "code": "print(open('data.txt').read())\nx + 1"})
    check((result["stdout"], result["value"]["text/plain"]) == ("seven\n", "21"), result)
    result, _ = await call(client, "session_run", {"id": name, "code": "1 / 0"})
    check(result["exception"]["type"] == "ZeroDivisionError", result)
    show = f"class Dot:\n    def _repr_png_(self):\n        import base64\n        return base64.b64decode('{PNG}')\nDot()"
    result, content = await call(client, "session_run", {"id": name, "code": show})
    check(any(block.type == "image" for block in content), f"a shown image is an image: {result}")
    await call(client, "session_put", {"id": name, "files": [{"path": "more/b.txt", "content": "eight"}]})
    listed, _ = await call(client, "session_files", {"id": name})
    check({file["path"] for file in listed["files"]} >= {"data.txt", "more/b.txt"}, listed)
    got, _ = await call(client, "session_get", {"id": name, "path": "more/b.txt"})
    check(got["content"] == "eight", got)
    await call(client, "session_remove", {"id": name, "paths": ["more/b.txt"]})
    listed, _ = await call(client, "session_files", {"id": name})
    check("more/b.txt" not in {file["path"] for file in listed["files"]}, listed)
    await refused(client, "session_remove", {"id": name, "paths": ["more/b.txt"]}, "more/b.txt")
    result, _ = await call(client, "session_interrupt", {"id": name})
    check(result["interrupted"] is False, result)
    # A cancelled cell ends, and the session is there for the next.
    started = time.monotonic()
    with anyio.move_on_after(1.5):
        await client.call_tool("session_run", {"id": name, "code": "import time\ntime.sleep(60)"})
    result, _ = await call(client, "session_run", {"id": name, "code": "x"})
    check(time.monotonic() - started < 30 and result["value"]["text/plain"] == "20", "the cancelled cell was interrupted")
    await call(client, "session_reset", {"id": name})
    result, _ = await call(client, "session_run", {"id": name, "code": "print('x' in globals())"})
    check(result["stdout"] == "False\n", result)
    listed, _ = await call(client, "session_list")
    check([session["id"] for session in listed["sessions"]] == [name], listed)
    await call(client, "session_close", {"id": name})
    listed, _ = await call(client, "session_list")
    check(listed["sessions"] == [], listed)
    await refused(client, "session_run", {"id": name, "code": "1"}, "hint: ")


async def analysis(client):
    items = [{"id": "good", "language": "python", "code": "print(int(input()) * 2)", "cases": [{"stdin": "2", "expected": "4"}]}, {"id": "bad", "language": "python", "code": "print(5)", "cases": [{"stdin": "2", "expected": "4"}]}]
    result, _ = await call(client, "judge", {"items": items})
    check([one["verdict"] for one in result["results"]] == ["accepted", "wrong_answer"], result)
    result, _ = await call(client, "review_file", {"path": "use.py"})
    check(any(finding["rule"] == "dynamic-code" for finding in result["findings"]), result)
    report = json.loads((await client.read_resource(result["full"])).contents[0].text)
    check(report["files"], "the full report has the metrics")
    result, _ = await call(client, "review_file", {"path": "snippet.py", "code": "def f(x=[]):\n    return eval(x)\n", "severity": "high"})
    check([finding["severity"] for finding in result["findings"]] == ["high"] * len(result["findings"]), result)
    result, _ = await call(client, "review_project", {"limit": 1})
    check(len(result["findings"]) == 1 and result["findings_total"] > 1, result)
    unused = {"files": [{"path": "a.py", "content": "import os\nprint(1)\n"}], "unsafe": True}
    result, content = await call(client, "fix_findings", unused)
    check(result["applied"] == 1 and "-import os" in result["changes"][0]["diff"] and "-import os" in content[0].text, result)
    check(result["files"] == [{"path": "a.py", "content": "print(1)\n"}] and not result["written"], result)
    result, content = await call(client, "list_rules", {"rule": "bare-except"})
    check(result["rules"][0]["name"] == "bare-except" and "bare-except" in content[0].text, result)
    result, content = await call(client, "list_rules", {"types": ["security"]})
    check(len(result["rules"]) > 5 and "dynamic-code" in result["rules"], result)
    result, _ = await call(client, "check_quality_gates")
    check(isinstance(result["gate"]["passed"], bool), result)
    result, _ = await call(client, "debug", {"language": "python", "code": "def f(x):\n    return 1 / x\nf(0)\n"})
    error = result["diagnosis"]["errors"][0]
    check((error["type"], error["place"]["line"]) == ("ZeroDivisionError", 2), error)
    result, _ = await call(client, "debug", {"log": "Traceback (most recent call last):\n  File \"a.py\", line 3, in <module>\n    f()\nKeyError: 'k'\n"})
    check(result["diagnosis"]["errors"][0]["type"] == "KeyError", result)
    result, _ = await call(client, "search_pattern", {"pattern": "print($X)", "language": "python", "paths": ["use.py"]})
    check([match["captures"]["X"] for match in result["matches"]] == ["1", "2"], result)
    result, _ = await call(client, "find_clones", {"paths": ["a.py"]})
    check(len(result["groups"]) == 1, result)
    versions = {"files_before": [{"path": "m.py", "content": COPY % "a"}], "files_after": [{"path": "m.py", "content": COPY % "sum"}]}
    result, _ = await call(client, "detect_refactorings", versions)
    check(any("rename" in one["kind"] for one in result["refactorings"]), result)


async def testing(client):
    for project in [{"path": "suite"}, {"files": [{"path": "calc.py", "content": CALC}, {"path": "test_calc.py", "content": SUITE}]}]:
        result, content = await call(client, "run_tests", {**project, "coverage": True})
        check((result["passed"], result["framework"]) == (False, "unittest"), result)
        check([result["totals"][key] for key in ["tests", "passed", "failed", "skipped"]] == [3, 1, 1, 1], result)
        check([test["name"] for test in result["tests"]] == ["test_wrong", "test_later"], "the worst first, what passed left out")
        check(result["tests"][0]["place"] == {"file": "test_calc.py", "line": 11}, result)
        check("2.0 != 5" in content[0].text and "test_some" not in content[0].text, content)
        check({file["file"]: file["missed"] for file in result["coverage"]}.get("calc.py") == [3], result)
        report = json.loads((await client.read_resource(result["full"])).contents[0].text)
        check(len(report["tests"]) == 3, "all of them are kept")
    result, _ = await call(client, "run_tests", {"path": "suite", "filter": "test_some"})
    check(result["passed"] and result["totals"]["tests"] == 1 and "output" not in result, result)
    code = {"files": [{"path": "calc.py", "content": CALC}, {"path": "other.py", "content": "def twice(x: int):\n    return 2 * x\n"}]}
    result, content = await call(client, "generate_tests", {**code, "path": "calc.py", "style": "unittest", "seconds": 3})
    check([file["module"] for file in result["files"]] == ["calc"], result)
    made = result["files"][0]
    check(made["tests"] > 0 and made["covered"] == made["lines"] > 0 and made["killed"] > 0, made)
    check("mean(" in made["text"] and made["text"].splitlines()[-1] in content[0].text, made)
    again = code["files"] + [{"path": made["file"], "content": made["text"]}]
    result, _ = await call(client, "run_tests", {"files": again, "framework": "unittest"})
    check(result["passed"] and result["totals"]["tests"] >= made["tests"], "what was written passes")


async def indexing(client):
    result, content = await call(client, "find_symbols", {"name": "gcd", "references": True})
    check([(one["kind"], one["file"]) for one in result["items"]] == [("function", "gcd.py")], result)
    check({place["file"] for place in result["items"][0]["references"]} == {"gcd.py", "test_gcd.py"}, result)
    check("function gcd gcd.py:1" in content[0].text, content)
    result, _ = await call(client, "find_calls", {"name": "gcd", "side": "callers"})
    check({one["file"] for one in result["items"]} == {"gcd.py", "test_gcd.py"}, result)
    result, _ = await call(client, "list_dependencies", {"file": "gcd.py", "reverse": True})
    check([one["from"] for one in result["items"]] == ["test_gcd.py"], result)
    good = SUITE.replace("self.assertEqual(mean([1, 3]), 5)", "self.assertEqual(mean([]), 0)")
    files = [{"path": "calc.py", "content": CALC}, {"path": "test_calc.py", "content": good}]
    result, content = await call(client, "mutate_tests", {"files": files, "most": 8})
    check(result["mutants"] > 0 and 0 < result["score"] <= 1 and "score" in content[0].text, result)
    result, content = await call(client, "doctor")
    check(result["providers"] and "level" in content[0].text, result)
    check("solve_task" not in {tool.name for tool in (await client.list_tools()).tools}, "there is no model")
    await refused(client, "solve_task", {"task": "x"}, "llm.model")
    for tool, arguments, expected in [
        ("find_symbols", {"name": "gdc"}, "did you mean gcd?"),
        ("find_symbols", {"kind": "thing"}, "`function`"),
        ("find_calls", {"name": "gcd", "side": "up"}, "`callers`"),
        ("find_calls", {"name": "gcd", "side": "callers", "depth": 99}, "1 to 32"),
        ("list_dependencies", {"file": "../x.py"}, "not beneath the root"),
        ("mutate_tests", {"path": "suite", "most": 0}, "1 to 5000"),
        ("solve_task", {"task": "x", "steps": 0}, "steps"),
        ("solve_task", {"task": "x", "path": "../"}, "not beneath the root"),
    ]:
        await refused(client, tool, arguments, expected)


async def looking(client):
    program = "def total(items):\n    result = 0\n    for item in items:\n        result += item\n    return result\n\n\nprint(total([1, 2, 3]))\ntotal(None)\n"
    news = []

    async def progress(_, __, message):
        news.append(message)

    look = {"code": program, "language": "python", "breakpoints": ["4 if item > 1"], "print": ["result + item", "nothing"], "logs": ["total=items {items}"]}
    result, content = await call(client, "inspect", look, progress_callback=progress)
    check([stop["reason"] for stop in result["stops"]] == ["breakpoint", "breakpoint", "exception"], result)
    check([stop["values"][0].get("value") for stop in result["stops"][:2]] == ["3", "6"], result)
    check("nothing" in result["stops"][0]["values"][1]["error"], result)
    variables = {one["name"]: one["value"] for one in result["stops"][1]["frames"][0]["variables"]}
    check((variables["item"], variables["result"]) == ("3", "3"), variables)
    check("TypeError" in result["stops"][2]["text"] and result["exit_code"] == 1, result)
    check(result["logs"] == ["items [1, 2, 3]", "items None"] and "6\n" in result["output"], result)
    check("result + item = 6" in content[0].text and "exit code 1 after 3 stops" in content[0].text, content)
    check("starting the program" in news, f"progress of inspect: {news}")
    files = [{"path": "main.py", "content": "import part\nprint(part.double(4))\n"}, {"path": "part.py", "content": "def double(x):\n    return x * 2\n"}]
    result, _ = await call(client, "inspect", {"files": files, "breakpoints": ["part.py:2", "double"], "stops": 1})
    frames = result["stops"][0]["frames"]
    check((frames[0]["file"], frames[0]["function"], frames[1]["line"]) == ("part.py", "double", 2), result)
    check(len(result["stops"]) == 1 and "exit_code" not in result, result)
    result, _ = await call(client, "inspect", {"path": "use.py", "breakpoints": ["use.py:9"]})
    check(result["stops"][0]["frames"][0]["line"] == 9 and result["output"] == "1\n2\n", result)


async def writing(client, folder, allowed):
    before = (folder / "use.py").read_text()
    rewrite = {"pattern": "print($X)", "replacement": "show($X)", "language": "python", "paths": ["use.py"]}
    result, _ = await call(client, "rewrite_pattern", rewrite)
    check(not result["written"] and "+show(1)" in result["changes"][0]["diff"], result)
    check((folder / "use.py").read_text() == before, "a preview writes nothing")
    rename = {"refactoring": {"kind": "rename", "file": "a.py", "line": 1, "column": 5, "to": "sum_a"}}
    result, _ = await call(client, "refactor", rename)
    check("+def sum_a" in result["changes"][0]["diff"] and not result["written"], result)
    mend = {"target": "gcd.py", "test": "python3 test_gcd.py", "seconds": 60}
    news = []

    async def progress(_, __, message):
        news.append(message)

    if not allowed:
        result, _ = await call(client, "fix", mend, progress_callback=progress)
        check(result["status"] == "fixed" and result["patches"][0]["verified"] and result["written"] == [], result)
        check(any("testing" in message for message in news), f"progress of fix: {news}")
        for tool, arguments in [("rewrite_pattern", rewrite), ("refactor", rename), ("fix", mend)]:
            await refused(client, tool, {**arguments, "apply": True}, "does not write")
        await refused(client, "undo_change", {}, "does not write")
        check((folder / "gcd.py").read_text() == GCD, "nothing was written")
        return
    result, _ = await call(client, "rewrite_pattern", {**rewrite, "apply": True})
    check(result["written"] and "show(1)" in (folder / "use.py").read_text(), result)
    await call(client, "undo_change", {"name": result["undo"]})
    check((folder / "use.py").read_text() == before, "it was taken back")
    result, _ = await call(client, "fix", {**mend, "apply": True})
    check(result["written"] == ["gcd.py"] and (folder / "gcd.py").read_text() != GCD, result)


async def errors(client):
    for tool, arguments, expected in [
        ("execute_code", {}, "nothing to run"),
        ("execute_code", {"cod": "1"}, "unknown field"),
        ("execute_code", {"code": 5}, "invalid type"),
        ("execute_code", {"code": "1", "language": "klingon"}, "klingon"),
        ("execute_code", {"code": "1", "path": "use.py"}, "together"),
        ("execute_code", {"code": "1", "language": "python", "timeout_seconds": 1e9}, "hint: "),
        ("execute_code", {"code": "1", "limits": {"speed": 3}}, "limits.speed"),
        ("execute_code", {"path": "../../etc/passwd"}, "not beneath"),
        ("execute_code", {"path": "/etc/passwd"}, "not beneath"),
        ("execute_code", {"path": "outside.py"}, "not beneath"),
        ("review_file", {"path": "outside.py"}, "not beneath"),
        ("review_file", {"path": "."}, "directories"),
        ("review_project", {"paths": [".."]}, "not beneath"),
        ("review_project", {"new": "/etc"}, "not beneath"),
        ("review_project", {"types": ["beauty"]}, "`security`"),
        ("check_quality_gates", {"gates": {"scor": 1}}, "did you mean score?"),
        ("list_rules", {"rule": "bare-exept"}, "did you mean bare-except?"),
        ("review_project", {"files": [{"path": "../a.py", "content": ""}]}, "leaves the folder"),
        ("search_pattern", {}, "what to look for"),
        ("search_pattern", {"rules": ["/etc/passwd"]}, "not beneath"),
        ("search_pattern", {"pattern": "print($X)", "paths": ["missing.py"]}, "missing.py"),
        ("rewrite_pattern", {"pattern": "print($X)"}, "hint: "),
        ("refactor", {"refactoring": {"kind": "rename", "file": "a.py", "line": 1, "to": "b"}}, "column"),
        ("refactor", {"refactoring": {"kind": "dance", "file": "a.py", "line": 1}}, "dance"),
        ("fix", {"target": "/etc"}, "not beneath"),
        ("fix", {"target": "gcd.py", "seconds": 0}, "1 to 3600"),
        ("judge", {"items": []}, "nothing to judge"),
        ("run_tests", {"path": ".."}, "not beneath"),
        ("run_tests", {"path": "linked"}, "not beneath"),
        ("run_tests", {"path": "missing"}, "missing"),
        ("run_tests", {"path": "suite", "framework": "pytset"}, "did you mean pytest?"),
        ("run_tests", {"path": "suite", "timeout_seconds": 1e6}, "0 to 300"),
        ("run_tests", {"files": [{"path": "a.py", "content": ""}], "path": "b.py"}, "not among the files"),
        ("run_tests", {"files": [{"path": "a.py", "content": "x = 1"}]}, "no tests"),
        ("run_tests", {"files": [{"path": "../test_a.py", "content": "import unittest"}]}, "hint: "),
        ("generate_tests", {"path": "outside.py"}, "not beneath"),
        ("generate_tests", {"path": "formicary.toml"}, "formicary.toml is not a Python file"),
        ("generate_tests", {"path": "suite/calc.py", "style": "doctest"}, "`unittest`"),
        ("generate_tests", {"path": "suite/calc.py", "seconds": 0}, "1 to 160"),
        ("inspect", {}, "nothing to run"),
        ("inspect", {"path": "use.py", "breakpoints": [""]}, "names no place"),
        ("inspect", {"path": "use.py", "breakpoints": ["use.py:900"]}, "use.py:900"),
        ("inspect", {"path": "use.py", "breakpoints": ["nowhere"]}, "nowhere"),
        ("inspect", {"path": "use.py", "stops": 0}, "1 to 1000"),
        ("inspect", {"path": "/etc/passwd"}, "not beneath"),
        ("session_run", {"id": "none", "code": "1"}, "none"),
        ("session_create", {"language": "klingon"}, "klingon"),
        ("detect_refactorings", {}, "hint: "),
        ("read_output", {"uri": "formicary://output/1/x"}, "not kept"),
    ]:
        await refused(client, tool, arguments, expected)
    try:
        await client.call_tool("execute_cod", {})
        check(False, "an unknown tool was called")
    except MCPError as error:
        check("execute_code" in str(error), error)


async def live(client):
    news = []

    async def progress(done, _, message):
        news.append((done, message))

    marker = f"marker-{os.getpid()}-{time.monotonic_ns()}"
    # What was compiled once is not compiled again: each time another text.
    steps = {"language": "c", "code": f"// {marker}\n" + "#include <stdio.h>\n#include <unistd.h>\nint main(void) { for (int i = 0; i < 5; i++) { puts(\"x\"); fflush(stdout); usleep(150000); } }"}
    await call(client, "execute_code", steps, progress_callback=progress)
    messages = [message for _, message in news]
    check("compiling" in messages and "running" in messages, f"progress: {news}")
    check(any(" bytes of output" in message and " 0 bytes" not in message for message in messages), f"progress: {news}")
    check([done for done, _ in news] == sorted(done for done, _ in news), f"progress grows: {news}")

    def running():
        found = 0
        for entry in pathlib.Path("/proc").iterdir():
            with contextlib.suppress(OSError):
                found += entry.name.isdigit() and marker.encode() in (entry / "cmdline").read_bytes()
        return found

    sleeper = f"import subprocess, unittest\n\n\nclass Sleep(unittest.TestCase):\n    def test_sleep(self):\n        subprocess.run(['sh', '-c', 'sleep 60; true', '{marker}'])\n"
    for tool, arguments in [
        ("execute_code", {"language": "bash", "code": "sleep 60; true", "args": [marker], "timeout_seconds": 100}),
        ("inspect", {"language": "python", "code": "import time\ntime.sleep(60)", "args": [marker], "timeout_seconds": 100}),
        ("run_tests", {"files": [{"path": "test_sleep.py", "content": sleeper}]}),
    ]:
        async with anyio.create_task_group() as group:
            group.start_soon(client.call_tool, tool, arguments)
            with anyio.fail_after(20):
                while not running():
                    await anyio.sleep(0.05)
            group.cancel_scope.cancel()
        with anyio.fail_after(20):
            while running():
                await anyio.sleep(0.05)
    check(True, "cancelled programs are gone")


async def two_at_once(server):
    async with server.client() as one, server.client() as two:
        results = {}

        async def ask(name, client):
            for number in range(5):
                code = f"print('{name}', {number})"
                results[name, number] = (await call(client, "execute_code", {"language": "python", "code": code}))[0]["stdout"]

        async with anyio.create_task_group() as group:
            group.start_soon(ask, "one", one)
            group.start_soon(ask, "two", two)
        check(all(stdout == f"{name} {number}\n" for (name, number), stdout in results.items()), results)
        check(len(results) == 10, results)


async def main():
    folder = project()
    with Server(folder) as server:
        async with server.client() as client:
            tools = {tool.name: tool for tool in (await client.list_tools()).tools}
            check(tools["search_pattern"].annotations.read_only_hint, "annotations")
            check(tools["fix"].annotations.read_only_hint, "without a grant nothing is written")
            for part in [execution, outputs, sessions, analysis, testing, indexing, looking, errors, live]:
                await part(client)
            await writing(client, folder, allowed=False)
            # What takes a change back is called below, where writing is granted.
            left = set(tools) - CALLED - {"undo_change"}
            check(not left, f"not called: {left}")
        await two_at_once(server)
    with Server(folder, "--allow-write") as server:
        async with server.client() as client:
            await writing(client, folder, allowed=True)
    shutil.rmtree(folder)
    print(f"{TRANSPORT} {MODE}: {CHECKS} checks, {len(CALLED)} tools")


anyio.run(main)
