"""Judges many versions of a Python program by its tests, each in a process of its own, inside one sandbox.

    python3 judge.py record|judge|compare

reads `plan.json` beside it and writes one line of JSON for each result. Nothing that it says is believed without a run
of the real tests in a fresh sandbox: the programs run as the same user and could lie.
"""

import ast
import collections
import gc
import json
import os
import resource
import select
import signal
import sys
import time

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import tests_of
from tests_of import CHECKS, ROOT, OutOfTime, Stop

with open("plan.json") as file:
    PLAN = json.load(file)
EDITABLE = [os.path.join(ROOT, path) for path in PLAN["editable"]]
TEXTS = {}
for name in EDITABLE:
    with open(name, "rb") as file:
        TEXTS[name] = file.read()
MEMORY = 768 * 1024 * 1024


def say(**fields):
    os.write(OUT, (json.dumps(fields) + "\n").encode())


def prepare_tests():
    """Test files with their assertions split; files that hold both are split when they are run."""
    for path in PLAN["tests"]:
        full = os.path.join(ROOT, path)
        if full in TEXTS:
            continue
        try:
            with open(full) as file:
                tests_of.OVERRIDES[full] = tests_of.compiled(full, file.read(), True)
        except (OSError, SyntaxError, ValueError):
            pass


def program_code(path, text):
    both = os.path.relpath(path, ROOT) in PLAN["tests"]
    if both:
        return tests_of.compiled(path, text, False)
    return compile(text, path, "exec", dont_inherit=True)


def warm_up():
    """Imports what the project imports from elsewhere, so that no candidate pays for it."""
    names = set()
    for full in list(TEXTS) + [os.path.join(ROOT, path) for path in PLAN["tests"]]:
        try:
            with open(full) as file:
                tree = ast.parse(file.read())
        except (OSError, SyntaxError, ValueError):
            continue
        for node in ast.walk(tree):
            if isinstance(node, ast.Import):
                names.update(alias.name for alias in node.names)
            elif isinstance(node, ast.ImportFrom) and node.module and not node.level:
                names.add(node.module)
    for name in sorted(names):
        top = os.path.join(ROOT, name.split(".")[0])
        if os.path.exists(top) or os.path.exists(top + ".py"):
            continue
        if name in sys.stdlib_module_names or name.split(".")[0] in sys.stdlib_module_names:
            try:
                __import__(name)
            except BaseException:
                pass


OUT_OF_TIME = []


def out_of_time(_, frame):
    OUT_OF_TIME.append(1)
    raise OutOfTime()


def confine():
    """A candidate starts no processes and cannot eat the sandbox's memory."""
    resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    if not PLAN.get("may_fork"):
        resource.setrlimit(resource.RLIMIT_NPROC, (0, 0))
    nothing = os.open(os.devnull, os.O_RDWR)
    for number in (0, 1, 2):
        os.dup2(nothing, number)
    if OUT > 2:
        os.close(OUT)
    signal.signal(signal.SIGPROF, out_of_time)
    signal.signal(signal.SIGALRM, out_of_time)
    sys.setrecursionlimit(1000)


def timed(run, cpu, wall):
    """Runs one test; gives what ended it, or nothing."""
    signal.setitimer(signal.ITIMER_PROF, cpu, 0.05)
    signal.setitimer(signal.ITIMER_REAL, wall, 0.05)
    try:
        run()
        return None
    except BaseException as error:
        return None if tests_of.is_skip(error) else error
    finally:
        signal.setitimer(signal.ITIMER_PROF, 0)
        signal.setitimer(signal.ITIMER_REAL, 0)


def guarded(run, cpu, wall):
    """The same, where the alarm may also ring between two lines."""
    for _ in range(3):
        try:
            return timed(run, cpu, wall)
        except OutOfTime as error:
            last = error
    return last


def child(work):
    """Runs `work`, which gives answers one by one, in a process of its own; gives the process and the answers' pipe."""
    reader, writer = os.pipe()
    pid = os.fork()
    if pid == 0:
        code = 1
        try:
            os.close(reader)
            confine()
            for answer in work():
                view = memoryview((json.dumps(answer) + "\n").encode())
                while view:
                    view = view[os.write(writer, view) :]
            code = 0
        except BaseException:
            pass
        finally:
            os._exit(code)
    os.close(writer)
    return pid, reader


def served(next_work, most, until):
    """Runs works, some at a time, each (key, work, seconds for one answer); gives (key, answers) as they end.

    `next_work` is asked again whenever something ended: what a dead process left undone may come back.
    """
    running = {}
    while True:
        while len(running) < most and time.monotonic() < until:
            found = next_work()
            if found is None:
                break
            key, work, wall = found
            try:
                pid, reader = child(work)
            except OSError:
                time.sleep(0.02)
                yield key, []
                continue
            running[reader] = [key, pid, time.monotonic() + wall, b"", wall]
        if not running:
            return
        first = min(entry[2] for entry in running.values())
        ready, _, _ = select.select(list(running), [], [], max(0.0, first - time.monotonic()))
        now = time.monotonic()
        for reader in list(running):
            entry = running[reader]
            ended = False
            if reader in ready:
                data = os.read(reader, 1 << 20)
                entry[3] += data
                entry[2] = now + entry[4]
                ended = not data or len(entry[3]) > (64 << 20)
            if not ended and now > entry[2]:
                ended = True
            if ended:
                try:
                    os.kill(entry[1], signal.SIGKILL)
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
                        break
                yield entry[0], answers


def listed(works):
    """A list of works as `served` asks for them."""
    works = iter(works)
    return lambda: next(works, None)


# Recording: one run of each test under a tracer.

LITERAL = (int, float, str, bool, type(None), list, tuple, dict, set)


class Tracer:
    """Lines, types of variables and calls that come from tests."""

    def __init__(self, lines_only):
        self.files = {path: index for index, path in enumerate(EDITABLE)}
        self.lines = set()
        self.types = {}
        self.attributes = {}
        self.calls = []
        self.returns = {}
        self.lines_only = lines_only
        self.tests = {os.path.join(ROOT, path) for path in PLAN["tests"]}

    def on(self, frame, event, argument):
        index = self.files.get(frame.f_code.co_filename)
        if index is None:
            return None
        name = frame.f_code.co_name
        if event == "call" and not self.lines_only:
            self.learn(index, name, frame)
            self.note_call(index, name, frame)
        lines, learn = self.lines, self.learn

        def local(frame, event, argument):
            if event == "line":
                lines.add((index, frame.f_lineno))
            elif event == "return":
                learn(index, name, frame)
            elif event == "exception":
                learn(index, name, frame)
            return local

        return local

    def note_call(self, index, name, frame):
        back = frame.f_back
        if back is None or len(self.calls) > 400:
            return
        outside = back.f_code.co_filename in self.tests and (
            back.f_code.co_filename != frame.f_code.co_filename
            or back.f_code.co_name == "<module>"
            or tests_of.is_test_name(back.f_code.co_name)
        )
        if not outside or name.startswith("<") or tests_of.is_test_name(name):
            return
        count = frame.f_code.co_argcount
        if frame.f_code.co_flags & 0x0C:
            return
        values = [frame.f_locals.get(key) for key in frame.f_code.co_varnames[:count]]
        try:
            text = repr(values)
            if len(text) < 2000 and ast.literal_eval(text) == values:
                self.calls.append([index, name, text])
        except BaseException:
            pass

    def learn(self, index, name, frame):
        key = "%d:%s" % (index, name)
        count = self.returns.get(key, 0)
        if count > 60:
            return
        self.returns[key] = count + 1
        known = self.types.setdefault(key, {})
        for variable, value in list(frame.f_locals.items())[:60]:
            seen = known.setdefault(variable, [])
            kind = kind_of(value)
            if kind not in seen and len(seen) < 6:
                seen.append(kind)
            if type(value).__module__ not in ("builtins", "collections") and hasattr(value, "__dict__"):
                try:
                    names = list(vars(value))[:40]
                except BaseException:
                    names = []
                held = self.attributes.setdefault(type(value).__name__, [])
                held.extend(key for key in names if isinstance(key, str) and key not in held)


def kind_of(value):
    kind = type(value).__name__
    try:
        if isinstance(value, (list, tuple, set, frozenset)) and value:
            return "%s[%s]" % (kind, type(next(iter(value))).__name__)
        if isinstance(value, dict) and value:
            key = next(iter(value))
            return "%s[%s,%s]" % (kind, type(key).__name__, type(value[key]).__name__)
    except BaseException:
        pass
    return kind


def trace_of(error):
    """The program's own lines of a traceback, innermost last."""
    found, step = [], getattr(error, "__traceback__", None)
    while step is not None:
        path = step.tb_frame.f_code.co_filename
        if path in TEXTS:
            found.append([EDITABLE.index(path), step.tb_lineno])
        step = step.tb_next
    return found[-12:]


def describe(error):
    text = ""
    try:
        text = str(error)[:400]
    except BaseException:
        pass
    return {"type": type(error).__name__, "message": text, "trace": trace_of(error)}


def load_program(edits=()):
    for index, path in enumerate(EDITABLE):
        text = patched(TEXTS[path], [edit for edit in edits if edit[0] == index])
        tests_of.OVERRIDES[path] = program_code(path, text.decode())


def patched(text, edits):
    for _, start, end, new in sorted(edits, key=lambda edit: -edit[1]):
        text = text[:start] + new.encode() + text[end:]
    return text


def record_item(index):
    """One test under the tracer: its checks with their lines, and how it ended."""

    def work():
        load_program()
        tracer = Tracer(False)
        checks, failed = [], []

        def on_check(name, passed, error):
            if len(checks) < 400:
                checks.append([name, passed, sorted(tracer.lines), describe(error) if error else None])
            tracer.lines.clear()
            if isinstance(error, OutOfTime):
                signal.setitimer(signal.ITIMER_PROF, PLAN["record_cpu"], 0.05)
                signal.setitimer(signal.ITIMER_REAL, PLAN["record_cpu"] * 2, 0.05)
                failed.append(1)
                if len(failed) > 2:
                    raise Stop()

        CHECKS.on_check = on_check
        started = time.process_time()
        sys.settrace(tracer.on)
        try:
            items = tests_of.items_of(PLAN)
            error = None if index is None else guarded(items[index][1], PLAN["record_cpu"], PLAN["record_cpu"] * 2)
            names = [name for name, _ in items]
        except BaseException as caught:
            names, error = None, caught
        sys.settrace(None)
        if isinstance(error, Stop):
            error = None
        seconds = time.process_time() - started
        yield {
            "names": names if index is None else None,
            "passed": error is None and all(check[1] for check in checks),
            "error": describe(error) if error is not None else None,
            "checks": checks,
            "lines": sorted(tracer.lines),
            "types": tracer.types,
            "attributes": tracer.attributes,
            "calls": tracer.calls,
            "seconds": seconds,
        }

    return work


def record():
    answers = list(served(listed([("names", record_item(None), 20.0)]), 1, time.monotonic() + 20))
    found = answers[0][1][0] if answers and answers[0][1] else None
    if not found or found["names"] is None:
        say(kind="import", error=(found or {}).get("error"), lines=(found or {}).get("lines", []))
        return
    names = found["names"]
    works = ((index, record_item(index), PLAN["record_cpu"] * 8 + 5) for index in range(min(len(names), 400)))
    for index, answers in served(listed(works), PLAN["workers"], time.monotonic() + PLAN["time"]):
        say(kind="test", index=index, name=names[index], result=answers[0] if answers else None)
    say(kind="end", tests=len(names))


# Judging: each candidate in a fork of this interpreter.


OWN_MODULES = set()
CHUNK = 12


def forget():
    """Forgets the program and its tests, so that the next version is imported anew."""
    for name in [name for name in sys.modules if name not in OWN_MODULES]:
        module = sys.modules[name]
        if (getattr(module, "__file__", None) or ROOT).startswith(ROOT):
            del sys.modules[name]
    CHECKS.seen.clear()
    CHECKS.results = []


def judged(edits):
    """Verdict, how much passed before the first failure, and which test that was."""
    forget()
    try:
        load_program(edits)
    except (SyntaxError, ValueError, RecursionError):
        return ["broken", 0, None]
    signal.setitimer(signal.ITIMER_PROF, 2.0, 0.05)
    try:
        items = tests_of.items_of(PLAN)
    except BaseException as error:
        return ["time" if isinstance(error, OutOfTime) else "fail", 0, None]
    finally:
        signal.setitimer(signal.ITIMER_PROF, 0)
    order = PLAN.get("order") or range(len(items))
    passed = 0
    for index in order:
        if index >= len(items):
            continue
        CHECKS.results = []
        limit = PLAN["limits"][index] if index < len(PLAN["limits"]) else PLAN["limit"]
        error = guarded(items[index][1], limit, limit * 4 + 0.5)
        held = sum(1 for _, fine in CHECKS.results if fine)
        fine = all(fine for _, fine in CHECKS.results)
        if error is not None or not fine:
            late = isinstance(error, OutOfTime) or OUT_OF_TIME
            return ["time" if late else "fail", passed + (held if len(items) == 1 else 0), index]
        passed += max(held, 1) if len(items) == 1 else 1
    return ["pass", passed, None]


def judge_chunk(chunk):
    def work():
        global OWN_MODULES
        OWN_MODULES = set(sys.modules)
        CHECKS.stop_at_failure = True
        for number, edits in chunk:
            del OUT_OF_TIME[:]
            answer = judged(edits)
            yield [number] + answer
            if answer[0] == "time":
                # Whatever was interrupted may have left anything behind: the next one gets a fresh process.
                return

    return work


def judge():
    total = sum(PLAN["limits"]) * 2 + 4.0
    wall = min(total, 20.0)
    waiting = collections.deque()
    all_of_them = PLAN["candidates"]
    for start in range(0, len(all_of_them), CHUNK):
        waiting.append(all_of_them[start : start + CHUNK])
    pending = []
    last = time.monotonic()

    def next_work():
        if not waiting:
            return None
        chunk = waiting.popleft()
        return chunk, judge_chunk(chunk), wall

    for chunk, answers in served(next_work, PLAN["workers"], time.monotonic() + PLAN["time"]):
        answers = [a for a in answers if isinstance(a, list) and len(a) == 4][: len(chunk)]
        pending += answers
        left = chunk[len(answers) :]
        if left and not (answers and answers[-1][1] == "time"):
            pending.append([left[0][0], "died", 0, None])
            left = left[1:]
        if left:
            waiting.appendleft(left)
        if time.monotonic() - last > 0.1 or any(answer[1] == "pass" for answer in answers):
            say(kind="judged", results=pending)
            pending, last = [], time.monotonic()
    say(kind="judged", results=pending)
    say(kind="end")


# Comparing: what versions do on inputs near those of the tests.


def variants(value, depth=0):
    """Values near this one."""
    if isinstance(value, bool):
        yield not value
    elif isinstance(value, int):
        yield from (value + 1, value - 1, 0, 1, -value, value * 2)
    elif isinstance(value, float):
        yield from (value + 1.0, value - 0.5, 0.0, -value)
    elif isinstance(value, str):
        yield from ("", value[1:], value[:-1], value + value[:1], value[::-1], value.upper(), value + " ")
    elif isinstance(value, (list, tuple)):
        kind = type(value)
        yield kind()
        yield value[1:]
        yield value[:-1]
        yield value[::-1]
        if value:
            yield value + value[:1]
            if depth < 2:
                for place in {0, len(value) // 2, len(value) - 1}:
                    for near in list(variants(value[place], depth + 1))[:4]:
                        yield value[:place] + kind([near]) + value[place + 1 :]
    elif isinstance(value, dict) and value:
        first = next(iter(value))
        yield {key: held for key, held in value.items() if key != first}
        if depth < 2:
            for near in list(variants(value[first], depth + 1))[:3]:
                yield {**value, first: near}


def inputs():
    """Calls near the recorded ones, a bounded number, the same every time."""
    seen, found = set(), []
    for index, name, text in PLAN["calls"]:
        values = ast.literal_eval(text)
        near = [values]
        for place, value in enumerate(values):
            for other in variants(value):
                near.append(values[:place] + [other] + values[place + 1 :])
        for row in near:
            key = (name, repr(row))
            if key not in seen and len(key[1]) < 4000:
                seen.add(key)
                found.append((index, name, row))
    step = max(1, len(found) // 240)
    return found[::step]


def examples():
    """Calls that docstrings show with what they give: `>>> f(1)` and the line after it, `f(1) == 2`, `f(1) => 2`."""
    found = []
    for index, path in enumerate(EDITABLE):
        try:
            tree = ast.parse(TEXTS[path])
        except (SyntaxError, ValueError):
            continue
        for node in ast.walk(tree):
            if not isinstance(node, (ast.FunctionDef, ast.ClassDef, ast.Module)):
                continue
            lines = (ast.get_docstring(node) or "").splitlines() + [""]
            for line, after in zip(lines, lines[1:]):
                line = line.strip()
                if line.startswith(">>>"):
                    shown = [(line[3:], after)]
                else:
                    shown = [line.split(arrow, 1) for arrow in ("==", "=>", "->", "\u279e", "\u2192") if arrow in line]
                for call, expected in shown[:1]:
                    try:
                        tree_of_call = ast.parse(call.strip(), mode="eval").body
                        value = ast.literal_eval(expected.strip())
                    except (SyntaxError, ValueError):
                        continue
                    if isinstance(tree_of_call, ast.Call) and isinstance(tree_of_call.func, ast.Name):
                        found.append((index, call.strip(), value))
    return found[:40]


def compare_version(edits, rows, shown):
    def work():
        import importlib

        load_program(edits)
        modules, said = {}, []

        def scope_of(index):
            if index not in modules:
                path = EDITABLE[index]
                if os.path.relpath(path, ROOT) in PLAN["tests"]:
                    tree = ast.parse(patched(TEXTS[path], edits).decode())
                    kept = (ast.FunctionDef, ast.ClassDef, ast.Import, ast.ImportFrom, ast.Assign)
                    tree.body = [node for node in tree.body if isinstance(node, kept)]
                    scope = {"__name__": "program"}
                    exec(compile(tree, path, "exec"), scope)
                    modules[index] = scope
                else:
                    modules[index] = vars(importlib.import_module(tests_of.module_name(PLAN["editable"][index])))
            return modules[index]

        for index, call, value in shown:
            given = []
            try:
                scope = scope_of(index)
                error = guarded(lambda: given.append(eval(call, dict(scope))), 0.2, 0.8)
            except BaseException as caught:
                error = caught
            near = isinstance(value, float) and given and isinstance(given[0], (int, float))
            same = error is None and (abs(given[0] - value) < 1e-6 if near else given[0] == value)
            said.append("shown" if same else "!shown")
        for index, name, row in rows:
            try:
                function = scope_of(index).get(name)
                if function is None:
                    said.append("?")
                    continue
                row = ast.literal_eval(repr(row))
                box = []

                def call():
                    value = function(*row)
                    if hasattr(value, "__next__"):
                        value = list(zip(range(200), value))
                    box.append(repr((value, row))[:2000])

                error = guarded(call, 0.1, 0.5)
                said.append("!" + type(error).__name__ if error is not None else box[-1])
            except BaseException as error:
                said.append("!" + type(error).__name__)
        yield said

    return work


def compare():
    rows, shown = inputs(), examples()
    works = [(number, compare_version(edits, rows, shown), 10.0) for number, edits in PLAN["candidates"]]
    for number, answers in served(listed(works), PLAN["workers"], time.monotonic() + PLAN["time"]):
        say(kind="compared", number=number, said=[hash_of(text) for text in (answers[0] if answers else [])])
    say(kind="end")


def hash_of(text):
    import zlib

    return text if text.startswith("!") else "%08x" % zlib.crc32(text.encode("utf-8", "replace"))


if __name__ == "__main__":
    OUT = os.dup(1)
    os.set_inheritable(OUT, False)
    os.chdir(ROOT)
    tests_of.install()
    warm_up()
    prepare_tests()
    gc.collect()
    gc.freeze()
    gc.disable()
    {"record": record, "judge": judge, "compare": compare}[sys.argv[1]]()
