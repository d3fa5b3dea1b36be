"""Judges a suite of tests by mutants: each in a fork of an interpreter that has the frameworks ready.

    python3 mutate.py        inside the sandbox; reads plan.json beside it, writes one JSON object a line to result.jsonl
"""

import ast
import importlib.machinery
import json
import os
import resource
import select
import signal
import sys
import time

HERE = os.path.dirname(os.path.abspath(__file__))
ROOT = os.path.dirname(HERE)
sys.path.insert(0, HERE)
import line_coverage
import mutants
from runner import lay_out


def say(**fields):
    with open(os.path.join(HERE, "result.jsonl"), "a") as file:
        file.write(json.dumps(fields) + "\n")


def started(work):
    """Runs `work` in a process of its own; gives the process and the pipe of what it tells."""
    reader, writer = os.pipe()
    pid = os.fork()
    if pid == 0:
        try:
            os.setpgid(0, 0)
            os.close(reader)
            nothing = os.open(os.devnull, os.O_RDWR)
            for number in (0, 1, 2):
                os.dup2(nothing, number)
            resource.setrlimit(resource.RLIMIT_CORE, (0, 0))

            def tell(answer):
                data = memoryview((json.dumps(answer) + "\n").encode())
                while data:
                    data = data[os.write(writer, data) :]

            work(tell)
        except BaseException:
            pass
        finally:
            os._exit(0)
    os.close(writer)
    return pid, reader


def pooled(works, most):
    """Runs works (key, work, seconds), some at a time; gives (key, answers, whether its time was over)."""
    works, running = iter(works), {}
    while True:
        while len(running) < most:
            found = next(works, None)
            if found is None:
                break
            key, work, seconds = found
            pid, reader = started(work)
            running[reader] = [key, pid, time.monotonic() + seconds, b""]
        if not running:
            return
        first = min(entry[2] for entry in running.values())
        ready = select.select(list(running), [], [], max(0.0, first - time.monotonic()))[0]
        for reader in list(running):
            entry = running[reader]
            data = os.read(reader, 1 << 20) if reader in ready else None
            late = time.monotonic() > entry[2]
            if data:
                entry[3] += data
            if data == b"" or late:
                for end in (lambda: os.killpg(entry[1], signal.SIGKILL), lambda: os.kill(entry[1], signal.SIGKILL)):
                    try:
                        end()
                    except OSError:
                        pass
                os.waitpid(entry[1], 0)
                os.close(reader)
                del running[reader]
                answers = []
                for line in entry[3].split(b"\n"):
                    try:
                        answers.append(json.loads(line))
                    except ValueError:
                        pass
                yield entry[0], answers, late and data != b""


class Stop(BaseException):
    """One failure is enough."""


def by_pytest(plan, ids, begin, end):
    import pytest

    class Plugin:
        @pytest.hookimpl(trylast=True)
        def pytest_collection_modifyitems(self, items):
            if ids is not None:
                items[:] = [item for item in items if item.nodeid in ids]

        @pytest.hookimpl(hookwrapper=True)
        def pytest_runtest_protocol(self, item):
            begin(item.nodeid)
            yield

        def pytest_collectreport(self, report):
            if report.failed:
                end(report.nodeid or "collecting", False, True)

        def pytest_runtest_logreport(self, report):
            if report.failed:
                end(report.nodeid, False, True)
            elif report.when == "teardown":
                end(report.nodeid, True, True)
            elif report.skipped:
                end(report.nodeid, True, False)

    fixed = ["-p", "no:cacheprovider", "-p", "no:faulthandler", "-q", "--color=no", "--continue-on-collection-errors"]
    if plan["filter"]:
        fixed += ["-k", plan["filter"]]
    select_ = plan["select"]
    if ids is not None:
        select_ = sorted({name.split("::")[0] for name in ids})
    pytest.main(fixed + select_, plugins=[Plugin()])


def by_unittest(plan, ids, begin, end):
    import unittest

    class Result(unittest.TestResult):
        bad = False

        def startTest(self, test):
            self.bad = False
            begin(test.id())

        def stopTest(self, test):
            end(test.id(), not self.bad, True)

        def addFailure(self, test, error):
            self.bad = True
            if type(test).__name__ == "_ErrorHolder":
                end(test.id(), False, True)

        addError = addFailure

        def addSubTest(self, test, subtest, error):
            self.bad = self.bad or error is not None

        def addUnexpectedSuccess(self, test):
            self.bad = True

    def flat(suite):
        for test in suite:
            if isinstance(test, unittest.TestSuite):
                yield from flat(test)
            elif ids is None or test.id() in ids:
                yield test

    loader = unittest.TestLoader()
    suites = []
    for name in plan["select"]:
        folder, base = os.path.split(os.path.join(ROOT, name))
        sys.path.insert(0, folder)
        suites.append(loader.loadTestsFromName(base[:-3]))
    suite = unittest.TestSuite()
    suite.addTests(list(flat(suites)))
    suite.run(Result())


RUNNERS = {"pytest": by_pytest, "unittest": by_unittest}


def baseline(plan, files):
    """Every test with the lines that it reaches, its time, and whether it passes."""

    def work(tell):
        lines = line_coverage.Lines(lambda name: os.path.abspath(name) in files)
        began = [0.0]

        def reached():
            return sorted((files[os.path.abspath(path)], line) for path, line in lines.seen)

        def begin(name):
            if not began[0]:
                # What is reached while the tests are imported is reached for all of them.
                tell(["", True, 0.0, reached()])
            lines.begin()
            began[0] = time.monotonic()

        def end(name, passed, ended):
            if not ended:
                return
            tell([name, passed, time.monotonic() - began[0], reached()])

        lines.start()
        RUNNERS[plan["framework"]](plan, None, begin, end)

    for _, answers, _ in pooled([("baseline", work, plan["seconds"] / 2)], 1):
        return answers
    return []


def judged(plan, path, text, mutant, ids):
    """Runs the tests on a mutant until one of them fails."""
    changed = mutant.applied(text)

    def work(tell):
        plain = importlib.machinery.SourceFileLoader.get_data

        def get_data(self, name):
            return changed if os.path.abspath(name) == path else plain(self, name)

        importlib.machinery.SourceFileLoader.get_data = get_data

        def end(name, passed, ended):
            if not passed:
                tell(["killed", name])
                os._exit(0)

        RUNNERS[plan["framework"]](plan, ids, lambda name: None, end)
        tell(["survived", None])

    return work


def within(names, function):
    """Whether a function is one of those that are meant; all are where none is named."""
    return not names or any(function == name or (function or "").startswith(name + ".") for name in names)


def warm_up(paths):
    """Imports what the project imports from elsewhere, so that no mutant pays for it."""
    for path in paths:
        try:
            with open(path, "rb") as file:
                tree = ast.parse(file.read())
        except (OSError, SyntaxError, ValueError):
            continue
        for node in ast.walk(tree):
            names = [alias.name for alias in node.names] if isinstance(node, ast.Import) else []
            if isinstance(node, ast.ImportFrom) and node.module and not node.level:
                names = [node.module]
            for name in names:
                if name.split(".")[0] in sys.stdlib_module_names:
                    try:
                        __import__(name)
                    except BaseException:
                        pass


def main():
    with open(os.path.join(HERE, "plan.json")) as file:
        plan = json.load(file)
    if plan["shown_at"]:
        lay_out(plan["shown_at"], plan["left_out"])
    os.chdir(ROOT)
    sys.dont_write_bytecode = True
    for folder in ("src", "."):
        sys.path.insert(0, os.path.normpath(os.path.join(ROOT, folder)))
    until = time.monotonic() + plan["seconds"]
    if plan["framework"] == "pytest":
        try:
            import pytest  # noqa: F401, so that no mutant pays for it
        except ImportError:
            say(missing="pytest")
            return
    files = {os.path.abspath(os.path.join(ROOT, name)): name for name in plan["files"]}
    warm_up(list(files) + [os.path.join(ROOT, name) for name in plan["select"]])
    tests = baseline(plan, files)
    bad = sorted({name for name, passed, _, _ in tests if not passed})
    good = {name: (seconds, {tuple(place) for place in reached}) for name, passed, seconds, reached in tests if passed and name not in bad}
    at_import = good.pop("", (0.0, set()))[1]
    say(tests=len(good), failing=bad[:20])
    if not good:
        return

    def works():
        for path, name in files.items():
            with open(path, "rb") as file:
                text = file.read()
            wanted = [mutant for mutant in mutants.mutants_of(text) if within(plan["functions"], mutant.function)]
            for mutant in mutants.spread(wanted, plan["most"]):
                about = {"file": name, "line": mutant.line, "kind": mutant.kind, "diff": mutant.diff(text)}
                ids = {test for test, (_, reached) in good.items() if (name, mutant.line) in reached}
                if not ids and (name, mutant.line) in at_import:
                    ids = set(good)
                if time.monotonic() > until:
                    say(not_judged=1)
                elif not ids:
                    say(status="not_covered", **about)
                else:
                    seconds = sum(good[test][0] for test in ids) * 6 + 4
                    yield about, judged(plan, path, text, mutant, ids), seconds

    for about, answers, late in pooled(works(), plan["workers"]):
        if late:
            say(status="timed_out", **about)
        elif answers and answers[-1][0] == "survived":
            say(status="survived", **about)
        else:
            say(status="killed", killed_by=answers[-1][1] if answers else None, **about)
    say(finished=True)


if __name__ == "__main__":
    main()
