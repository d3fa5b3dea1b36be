"""Runs a project's tests with pytest or unittest, and tells of each test as it starts and ends.

Runs inside the sandbox only. What it tells goes to a file, one JSON object a line, so that a test that takes the process
with it can still be named.
"""

import faulthandler
import json
import os
import shutil
import signal
import sys
import time
import traceback

HERE = os.path.dirname(os.path.abspath(__file__))
ROOT = os.path.dirname(HERE)
MOST = 6_000


class TestTimeout(BaseException):
    """The time of one test is over."""


def say(event, **fields):
    fields["event"] = event
    data = json.dumps(fields, default=str, ensure_ascii=True).encode() + b"\n"
    while data:
        data = data[os.write(OUT, data) :]


def cut(text):
    text = str(text)
    if len(text) <= MOST:
        return text
    return "%s\n[... %d characters left out ...]\n%s" % (text[: MOST // 2], len(text) - MOST, text[-MOST // 2 :])


def relative(path):
    path = os.path.abspath(os.path.join(ROOT, str(path)))
    return os.path.relpath(path, ROOT) if path.startswith(ROOT + os.sep) else path


def lay_out(source, left_out):
    """Copies a folder that is only shown into the working folder."""
    for name in sorted(os.listdir(source)):
        if name in left_out:
            continue
        path, place = os.path.join(source, name), os.path.join(ROOT, name)
        try:
            if os.path.isdir(path):
                shutil.copytree(path, place, symlinks=True, ignore=shutil.ignore_patterns(*left_out), dirs_exist_ok=True)
            elif os.path.isfile(path):
                shutil.copy2(path, place)
        except (OSError, shutil.Error):
            pass


class Clock:
    """The time that one test may take: an exception first, and an end without mercy where that does not help."""

    def __init__(self, seconds):
        self.seconds = seconds
        self.owner = os.getpid()
        self.lines = None

    def start(self):
        if self.lines is not None:
            self.lines.again()
        if not self.seconds:
            return

        def ring(number, frame):
            if os.getpid() == self.owner:
                raise TestTimeout("longer than %g s" % self.seconds)

        signal.signal(signal.SIGALRM, ring)
        signal.setitimer(signal.ITIMER_REAL, self.seconds)
        faulthandler.dump_traceback_later(self.seconds + 2, exit=True, file=sys.__stderr__)

    def stop(self):
        if self.seconds:
            signal.setitimer(signal.ITIMER_REAL, 0)
            faulthandler.cancel_dump_traceback_later()


def run_pytest(plan, clock):
    try:
        import pytest
    except ImportError:
        say("missing", what="pytest")
        return 2

    done = set(plan["done"])

    class Plugin:
        def __init__(self):
            self.phases = {}
            self.late = set()

        def pytest_collection_modifyitems(self, config, items):
            kept = [item for item in items if item.nodeid not in done]
            config.hook.pytest_deselected(items=[item for item in items if item.nodeid in done])
            items[:] = kept
            say("collected", tests=len(kept))

        @pytest.hookimpl(hookwrapper=True)
        def pytest_runtest_protocol(self, item):
            file, line, _ = item.location
            say("start", id=item.nodeid, file=relative(file), line=(line or 0) + 1)
            clock.start()
            yield
            clock.stop()

        @pytest.hookimpl(hookwrapper=True)
        def pytest_runtest_makereport(self, item, call):
            outcome = yield
            if call.excinfo is not None and call.excinfo.errisinstance(TestTimeout):
                self.late.add(item.nodeid)

        def pytest_collectreport(self, report):
            if report.failed and report.nodeid not in done:
                text = report.longreprtext if hasattr(report, "longreprtext") else str(report.longrepr)
                lines = [line[1:].strip() for line in text.splitlines() if line.startswith("E ")]
                last = lines[-1] if lines else (text.strip().splitlines() or ["cannot be collected"])[-1]
                say("end", id=report.nodeid, status="errored", message=last, output=cut(text), file=report.nodeid)
            elif report.skipped:
                say("end", id=report.nodeid, status="skipped", message=reason(report), file=report.nodeid)

        def pytest_runtest_logreport(self, report):
            phases = self.phases.setdefault(report.nodeid, [])
            phases.append(report)
            if report.when != "teardown":
                return
            del self.phases[report.nodeid]
            self.told(report.nodeid, phases)

        def told(self, nodeid, phases):
            fields = {"id": nodeid, "seconds": sum(phase.duration for phase in phases)}
            bad = next((phase for phase in phases if phase.failed), None)
            skipped = next((phase for phase in phases if phase.skipped), None)
            file, line, _ = phases[0].location
            fields.update(file=relative(file), line=(line or 0) + 1)
            if bad is not None:
                fields["status"] = "failed" if bad.when == "call" else "errored"
                crash = getattr(bad.longrepr, "reprcrash", None)
                if crash is not None:
                    own = relative(crash.path) if crash.path else ""
                    if own and own != crash.path and not own.startswith("."):
                        fields.update(file=relative(crash.path), line=crash.lineno)
                    fields["message"] = cut(crash.message)
                else:
                    fields["message"] = cut(bad.longrepr)
                if nodeid in self.late:
                    fields.update(status="timed_out", message="longer than %g s" % clock.seconds)
            elif skipped is not None:
                fields.update(status="skipped", message=reason(skipped))
            else:
                fields["status"] = "passed"
            parts = [] if bad is None else [bad.longreprtext]
            parts += ["-- %s --\n%s" % section for phase in phases[-1:] for section in phase.sections]
            fields["output"] = cut("\n".join(parts)) if parts else ""
            say("end", **fields)

    def reason(report):
        if hasattr(report, "wasxfail"):
            return "expected to fail: %s" % report.wasxfail
        longrepr = report.longrepr
        text = longrepr[2] if isinstance(longrepr, tuple) else str(longrepr)
        return text[len("Skipped: ") :] if text.startswith("Skipped: ") else text

    fixed = ["-p", "no:cacheprovider", "-p", "no:timeout", "-p", "no:faulthandler", "--color=no", "-q", "--continue-on-collection-errors"]
    if plan["filter"]:
        fixed += ["-k", plan["filter"]]
    return int(pytest.main(fixed + plan["arguments"] + plan["select"], plugins=[Plugin()]))


def run_unittest(plan, clock):
    import unittest

    done = set(plan["done"])

    class Result(unittest.TestResult):
        def __init__(self):
            super().__init__()
            self.buffer = True
            self.began = 0.0
            self.fields = {}

        def startTest(self, test):
            super().startTest(test)
            self._setupStdout()
            self.fields = {"id": test.id(), "status": "passed"}
            method = getattr(type(test), getattr(test, "_testMethodName", ""), None)
            code = getattr(getattr(method, "__wrapped__", method), "__code__", None)
            if code is not None:
                self.fields.update(file=relative(code.co_filename), line=code.co_firstlineno)
            say("start", **{name: value for name, value in self.fields.items() if name != "status"})
            self.began = time.monotonic()
            clock.start()

        def stopTest(self, test):
            clock.stop()
            self.fields["seconds"] = time.monotonic() - self.began
            written = (sys.stdout.getvalue() + sys.stderr.getvalue()) if hasattr(sys.stdout, "getvalue") else ""
            self.fields["output"] = cut(self.fields.get("output", "") + written)
            self._mirrorOutput = False
            super().stopTest(test)
            say("end", **self.fields)

        def bad(self, test, error, status):
            kind, value, trace = error
            if issubclass(kind, TestTimeout):
                status = "timed_out"
            frames = [
                frame
                for frame in traceback.extract_tb(trace)
                if relative(frame.filename) != frame.filename and not frame.filename.startswith(HERE)
            ]
            fields = {"status": status, "message": cut(("%s: %s" % (kind.__name__, value)).strip())}
            if frames:
                fields.update(file=relative(frames[-1].filename), line=frames[-1].lineno)
            fields["output"] = cut("".join(traceback.format_exception(kind, value, trace)))
            return fields

        def note(self, test, error, status):
            fields = self.bad(test, error, status)
            if type(test).__name__ == "_ErrorHolder":
                say("end", id=test.id(), **fields)
            else:
                self.fields.update(fields)

        def addFailure(self, test, error):
            self.note(test, error, "failed")

        def addError(self, test, error):
            self.note(test, error, "errored")

        def addSkip(self, test, reason):
            self.fields.update(status="skipped", message=reason)
            if type(test).__name__ == "_ErrorHolder":
                say("end", id=test.id(), status="skipped", message=reason)

        def addExpectedFailure(self, test, error):
            self.fields.update(status="skipped", message="expected to fail")

        def addUnexpectedSuccess(self, test):
            self.fields.update(status="failed", message="passes though it is expected to fail")

        def addSubTest(self, test, subtest, error):
            if error is not None:
                status = "failed" if issubclass(error[0], test.failureException) else "errored"
                fields = self.bad(test, error, status)
                fields["message"] = "%s %s" % (subtest._subDescription(), fields["message"])
                self.fields.update(fields)

    def flat(suite):
        for test in suite:
            if isinstance(test, unittest.TestSuite):
                yield from flat(test)
            elif test.id() not in done:
                yield test

    loader = unittest.TestLoader()
    if plan["filter"]:
        loader.testNamePatterns = ["*%s*" % plan["filter"]]
    suites = []
    for name in plan["select"]:
        folder, base = os.path.split(os.path.join(ROOT, name))
        if base.endswith(".py"):
            sys.path.insert(0, folder)
            suites.append(loader.loadTestsFromName(base[:-3]))
        else:
            suites.append(loader.loadTestsFromName(name))
    suite = unittest.TestSuite()
    suite.addTests(list(flat(suites)))
    result = Result()
    suite.run(result)
    return 0 if result.wasSuccessful() else 1


def main():
    with open(os.path.join(HERE, "plan.json")) as file:
        plan = json.load(file)
    if plan["shown_at"]:
        lay_out(plan["shown_at"], plan["left_out"])
    os.chdir(ROOT)
    sys.path.insert(0, os.path.join(ROOT, "src"))
    sys.path.insert(0, ROOT)
    faulthandler.enable(file=sys.__stderr__)
    clock = Clock(plan["test_seconds"])
    lines = None
    if plan["coverage"]:
        import line_coverage

        def wanted(name):
            path = relative(name)
            return path != name and not path.startswith((".", "test_", "tests" + os.sep)) and not path.endswith("_test.py")

        lines = line_coverage.Lines(wanted)
        lines.start()
        clock.lines = lines
    code = {"pytest": run_pytest, "unittest": run_unittest}[plan["framework"]](plan, clock)
    if lines is not None:
        lines.stop()
        say("coverage", files=lines.report(ROOT))
    say("finished", code=code)
    sys.stdout.flush()
    sys.stderr.flush()
    os._exit(code)


if __name__ == "__main__":
    OUT = os.open(os.path.join(HERE, "events.jsonl"), os.O_WRONLY | os.O_CREAT | os.O_APPEND, 0o600)
    main()
