"""Runs a program that does not end, and before its time is up samples the stacks of all its threads from a thread of ours.

Locks are wrapped, so that who holds and who waits for which one is known. Nothing of the program is called.
"""
import _thread
import ast
import faulthandler
import json
import linecache
import os
import sys
import threading
import time

OUT, STACKS = "formicary-hang.json", "formicary-stacks.txt"
SAMPLES, APART = 8, 0.05
THREADS = 16
ROOT = os.getcwd()
sleep = time.sleep
current_frames = sys._current_frames
get_ident = _thread.get_ident
WATCHER = os.path.abspath(__file__)

held, awaited = {}, {}


def place_here():
    """The line of the program that calls a lock."""
    frame = sys._getframe(2)
    while frame is not None and not is_own(frame):
        frame = frame.f_back
    return frame and (frame.f_code.co_filename, frame.f_lineno)


def is_own(frame):
    name = frame.f_code.co_filename
    return type(name) is str and name.startswith(ROOT + os.sep) and name != WATCHER and "site-packages" not in name


class Traced:
    """A lock that notes who holds it and who waits for it."""
    make = _thread.allocate_lock

    def __init__(self):
        self._lock = type(self).make()
        self._depth = 0

    def acquire(self, blocking=True, timeout=-1):
        me = get_ident()
        if not self._lock.acquire(False):
            if not blocking:
                return False
            awaited[me] = (self, place_here())
            try:
                if not self._lock.acquire(True, timeout):
                    return False
            finally:
                awaited.pop(me, None)
        self._depth += 1
        if self._depth == 1:
            held[id(self)] = (me, place_here())
        return True

    def release(self):
        if self._depth == 1:
            held.pop(id(self), None)
        self._depth = max(0, self._depth - 1)
        self._lock.release()

    def locked(self):
        return id(self) in held

    __enter__ = acquire

    def __exit__(self, *_):
        self.release()

    def _at_fork_reinit(self):
        self._lock._at_fork_reinit()
        self._depth = 0


class TracedAgain(Traced):
    make = threading._RLock if threading._CRLock is None else threading._CRLock

    def _is_owned(self):
        return self._lock._is_owned()

    def _release_save(self):
        depth, self._depth = self._depth, 0
        held.pop(id(self), None)
        return depth, self._lock._release_save()

    def _acquire_restore(self, state):
        depth, inner = state
        awaited[get_ident()] = (self, place_here())
        self._lock._acquire_restore(inner)
        awaited.pop(get_ident(), None)
        self._depth = depth
        held[id(self)] = (get_ident(), place_here())


# Samples

class Call:
    """A frame in one sample, with its variables as text where it is the program's own."""

    def __init__(self, frame):
        code = frame.f_code
        self.id, self.code, self.at, self.line = id(frame), code, frame.f_lasti, frame.f_lineno
        self.file, self.name, self.own = code.co_filename, code.co_name, is_own(frame)
        self.values = {}
        if self.own:
            for variable in variables_of(frame):
                self.values[variable["name"]] = variable
            for name in code.co_names:
                if name not in self.values and name in frame.f_globals and len(self.values) < 80:
                    value = frame.f_globals[name]
                    if type(value) not in (types.ModuleType, types.FunctionType, type, types.BuiltinFunctionType):
                        self.values[name] = variable_of(name, value)
            for name, value in list(frame.f_locals.items())[:40]:
                for field, part in list(fields_of(value).items())[:20] if MODULE(type(value)) in OWN else ():
                    if type(field) is str:
                        self.values[f"{name}.{field}"] = variable_of(f"{name}.{field}", part)


def variable_of(name, value):
    try:
        text = cut(shown(value), 200)
    except BaseException:
        text = "<cannot be shown>"
    return {"name": name[:80], "type": NAME(type(value)), "value": text}


def stack_of(frame):
    calls = []
    while frame is not None and len(calls) < 400:
        if frame.f_code.co_filename != WATCHER or frame.f_code.co_name in ("acquire", "_acquire_restore"):
            calls.append(Call(frame) if len(calls) < 60 or is_own(frame) else None)
        frame = frame.f_back
    return [call for call in calls if call is not None]


def sample(watch):
    frames = current_frames()
    return {ident: stack_of(frame) for ident, frame in list(frames.items())[:THREADS + 1] if ident != watch}


# What a stack says

SOURCES = {}


def source(path):
    """The tree of a file, with parents, and its text."""
    if path not in SOURCES:
        try:
            with open(path, "rb") as file:
                text = file.read()
            tree = ast.parse(text)
            places = {}
            for node in ast.walk(tree):
                if hasattr(node, "lineno") and not isinstance(node, ast.Expr):
                    places.setdefault((node.lineno, node.end_lineno, node.col_offset, node.end_col_offset), node)
                for child in ast.iter_child_nodes(node):
                    child.up = node
            SOURCES[path] = (tree, places, text.decode("utf-8", "replace"))
        except (OSError, SyntaxError, ValueError, RecursionError):
            SOURCES[path] = None
    return SOURCES[path]


def node_of(call):
    found = source(call.file)
    if found is None:
        return None
    try:
        place = list(call.code.co_positions())[call.at // 2]
    except (AttributeError, IndexError):
        place = None
    return found[1].get(place) or next((node for node in ast.walk(found[0])
                                        if isinstance(node, ast.stmt) and node.lineno == call.line), None)


def written(call, node):
    found = source(call.file)
    text = found and node is not None and ast.get_source_segment(found[2], node)
    if not text or "\n" in text and not isinstance(node, ast.expr):
        text = linecache.getline(call.file, call.line)
    text = " ".join(text.split())
    return text if len(text) <= 120 else text[:117] + "..."


def loops_of(node):
    """Loops around a node within its function, innermost first."""
    found = []
    while node is not None and not isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef, ast.Lambda, ast.ClassDef)):
        up = getattr(node, "up", None)
        if isinstance(node, (ast.While, ast.For)) and (not found or found[-1] is not node):
            found.append(node)
        elif isinstance(node, (ast.ListComp, ast.SetComp, ast.DictComp, ast.GeneratorExp)):
            found.append(node)
        node = up
    return found


LIBRARIES = (("subprocess", "process"), ("multiprocessing", "process"), ("queue", "queue"), ("socket", "socket"),
             ("ssl", "socket"), ("http/", "socket"), ("urllib", "socket"), ("socketserver", "socket"),
             ("concurrent/futures", "join"), ("fileinput", "input"))
CALLS = {"sleep": "sleep", "input": "input", "readline": "input", "read": "input", "readlines": "input", "recv": "socket",
         "recv_into": "socket", "recvfrom": "socket", "accept": "socket", "connect": "socket", "sendall": "socket",
         "select": "socket", "urlopen": "socket", "communicate": "process", "waitpid": "process", "wait": "lock",
         "check_output": "process", "acquire": "lock", "join": "join", "get": "queue", "put": "queue", "result": "join",
         "pause": "other", "wait_for": "lock"}


def waiting_kind(calls, index):
    """What a thread waits for whose innermost own frame is `calls[index]`; none where it does not wait as far as is known."""
    for call in calls[:index]:
        path = call.file.replace(os.sep, "/")
        for part, kind in LIBRARIES:
            if f"/{part}" in path:
                return kind
        if path.endswith("/threading.py"):
            if call.name in ("join", "_wait_for_tstate_lock", "_shutdown"):
                return "join"
            if call.name in ("wait", "wait_for", "acquire"):
                return "lock" if not any("/queue.py" in other.file for other in calls[:index]) else "queue"
        if call.name in ("acquire", "_acquire_restore") and call.file == WATCHER:
            return "lock"
    node = node_of(calls[index])
    if isinstance(node, (ast.For, ast.comprehension)):
        return "input" if "stdin" in ast.unparse(node.iter) else None
    if isinstance(node, (ast.With, ast.AsyncWith)):
        return "lock" if calls[0].file == WATCHER else None
    if isinstance(node, ast.Call):
        function = node.func
        name = function.attr if isinstance(function, ast.Attribute) else getattr(function, "id", "")
        kind = CALLS.get(name)
        if kind == "input" and name != "input" and "stdin" not in ast.unparse(node):
            return "other"
        if kind == "join" and not isinstance(function, ast.Attribute):
            return None
        return kind
    return "input" if node is not None and "sys.stdin" in ast.unparse(node) and not isinstance(node, ast.stmt) else None


def shown_path(path):
    return os.path.relpath(path, ROOT)


class Thread:
    """One thread in all samples."""

    def __init__(self, ident, name, stacks):
        self.ident, self.name, self.stacks = ident, name, stacks
        self.calls = stacks[-1]
        self.index = next((index for index, call in enumerate(self.calls) if call.own), None)

    def own(self):
        return None if self.index is None else self.calls[self.index]

    def still(self):
        """Whether it was at the same instruction in all samples."""
        return len({(stack[0].id, stack[0].at, len(stack)) for stack in self.stacks if stack}) == 1

    def kind(self):
        return waiting_kind(self.calls, self.index) if self.index is not None and self.still() else None

    def waiting(self):
        call = self.own()
        entry = {"thread": self.name, "file": shown_path(call.file), "line": call.line, "waits_for": self.waits_for()}
        lock = awaited.get(self.ident)
        owner = held.get(id(lock[0])) if lock else None
        if owner is not None:
            entry["held_by"] = name_of(owner[0])
            if owner[1]:
                entry["taken_at"] = f"{shown_path(owner[1][0])}:{owner[1][1]}"
        return entry

    def waits_for(self):
        call = self.own()
        node = node_of(call)
        if isinstance(node, (ast.With, ast.AsyncWith)):
            # The position is that of the whole statement, or of one of its items.
            node = node.items[0].context_expr
        if isinstance(node, ast.For):
            node = node.iter
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.func.attr == "acquire":
            node = node.func.value
        return written(call, node)

    def loop(self):
        """The loop in which it runs: the innermost one, in the innermost frame that all samples have, around all lines."""
        common = set.intersection(*({(call.id, call.code) for call in stack} for stack in self.stacks))
        best = None
        for index, call in enumerate(self.calls):
            if not call.own or (call.id, call.code) not in common:
                continue
            seen = [next(c for c in stack if c.id == call.id and c.code == call.code) for stack in self.stacks]
            around = None
            for one in seen:
                nodes = loops_of(node_of(one))
                around = nodes if around is None else [loop for loop in around if loop in nodes]
            for loop in around or ():
                if isinstance(loop, ast.While):
                    return call, seen, loop
                # A loop over a collection ends, unless nothing else explains why the program does not.
                best = best or (call, seen, loop)
                if isinstance(loop, ast.For) and endless(loop, seen):
                    return call, seen, loop
        return best


def endless(loop, seen):
    """Whether a `for` loop may run without end: over what grows, or over what is no collection."""
    names = [node.id for node in ast.walk(loop.iter) if isinstance(node, ast.Name)]
    for name in names:
        first, last = seen[0].values.get(name), seen[-1].values.get(name)
        if first and last and first["type"] in ("list", "deque") and first["value"] != last["value"]:
            return True
    text = ast.unparse(loop.iter)
    return any(word in text for word in ("count(", "cycle(", "repeat(", "iter("))


def conditions(loop):
    """The expressions that decide whether the loop goes on."""
    if isinstance(loop, ast.While) and not isinstance(loop.test, ast.Constant):
        return [loop.test]
    if not isinstance(loop, ast.While):
        return [loop.iter] if isinstance(loop, ast.For) else [loop.generators[0].iter]
    found = []
    for node in ast.walk(loop):
        if isinstance(node, ast.If) and any(isinstance(inner, (ast.Break, ast.Return)) for inner in ast.walk(node)):
            found.append(node.test)
    return found


def names_in(expressions):
    names = []
    for expression in expressions:
        for node in ast.walk(expression):
            text = ast.unparse(node) if isinstance(node, (ast.Name, ast.Attribute)) else ""
            if text and text not in names:
                names.append(text)
    return names


def loop_report(thread, found):
    call, seen, loop = found
    first, last = seen[0].values, seen[-1].values
    deciding = conditions(loop)
    mattering = names_in(deciding)
    changing, unchanged = [], []
    for name, variable in last.items():
        texts = {other.values[name]["value"] for other in seen if name in other.values}
        if len(texts) > 1:
            before = first.get(name, variable)["value"]
            if before == variable["value"]:
                before = next(text for text in texts if text != variable["value"])
            changing.append({**variable, "before": before})
        elif name in mattering:
            unchanged.append(variable)
    # An object that changes is told by its fields, where they are known.
    changing = [one for one in changing if not any(two["name"].startswith(one["name"] + ".") for two in changing)]
    body = names_in([loop]) if not isinstance(loop, ast.While) else names_in(ast.walk(loop))
    changing = [one for one in changing if one["name"] in body or one["name"].split(".")[0] in body]
    changing.sort(key=lambda one: one["name"] not in mattering)
    text = " or ".join(written(call, node) for node in deciding[:2])
    if isinstance(loop, ast.While) and isinstance(loop.test, ast.Constant):
        text = f"while {written(call, loop.test)}" + (f", left if {text}" if text else "")
    return {"kind": "loop", "file": shown_path(call.file), "line": loop.lineno, "end_line": loop.end_lineno,
            "function": call.name, "expression": text, "changing": changing[:8], "unchanged": unchanged[:8]}


def name_of(ident):
    thread = threading._active.get(ident)
    name = getattr(thread, "_name", None)
    return name[:80] if type(name) is str else f"thread {ident}"


def circle(threads):
    """Threads that wait for each other's locks, or one for its own."""
    for ident in list(awaited):
        path = []
        while ident in awaited and ident not in path:
            path.append(ident)
            owner = held.get(id(awaited[ident][0]))
            if owner is None:
                break
            ident = owner[0]
        else:
            if ident in path:
                ring = path[path.index(ident):]
                found = [thread for one in ring for thread in threads if thread.ident == one and thread.own()]
                return sorted(found, key=lambda thread: (thread.own().file, thread.own().line))
    return []


def wait_report(kind, thread, threads):
    call = thread.own()
    waiting = [other.waiting() for other in threads if other.own() is not None][:8]
    return {"kind": kind, "file": shown_path(call.file), "line": call.line, "function": call.name,
            "expression": thread.waits_for(), "threads": waiting}


def tasks():
    """What the tasks of an event loop wait for: the innermost own frame of each."""
    module = sys.modules.get("asyncio.tasks")
    found = []
    for task in list(getattr(module, "_all_tasks", None) or getattr(module, "_scheduled_tasks", ()) or ()):
        own, inner = None, task.get_coro()
        names = []
        for _ in range(50):
            frame = getattr(inner, "cr_frame", None) or getattr(inner, "gi_frame", None)
            if frame is None:
                names.append(f"{getattr(inner, '__qualname__', '')} {NAME(type(inner))}")
                break
            names.append(frame.f_code.co_qualname if hasattr(frame.f_code, "co_qualname") else frame.f_code.co_name)
            if is_own(frame):
                own = Call(frame)
                names.clear()
            inner = getattr(inner, "cr_await", None) or getattr(inner, "gi_yieldfrom", None)
            if inner is None:
                break
        if own is not None and not task.done():
            found.append((task.get_name(), own, " ".join(names)))
    return found


def task_kind(call, names):
    node = node_of(call)
    node = node.value if isinstance(node, ast.Await) else node
    called = ast.unparse(node.func) if isinstance(node, ast.Call) else ""
    for word, kind in (("Queue", "queue"), ("Lock", "lock"), ("Event", "lock"), ("Semaphore", "lock"), ("sleep", "sleep"),
                       ("Stream", "socket"), ("sock", "socket"), ("open_connection", "socket"), ("Process", "process")):
        if word in names or word in called:
            return kind
    return "join" if "gather" in called or "wait" in called else "other"


def judged(samples, main):
    """What the program was doing."""
    last = samples[-1]
    threads = []
    for ident in last:
        stacks = [taken[ident] for taken in samples if ident in taken]
        if last[ident] and all(stacks):
            threads.append(Thread(ident, name_of(ident), stacks))
    threads.sort(key=lambda thread: thread.ident != main)
    stuck = circle(threads)
    if stuck:
        return wait_report("deadlock", stuck[0], stuck)
    known = [thread for thread in threads if thread.own() is not None]
    first = next((thread for thread in known if thread.ident == main), None)
    if first is not None and any("/asyncio/" in call.file for call in first.calls) and first.calls[0].file.endswith(
            "selectors.py"):
        pending = [(name, call, task_kind(call, names)) for name, call, names in tasks()]
        pending.sort(key=lambda one: one[2] in ("join", "other"))
        if pending:
            name, call, kind = pending[0]
            waiting = [{"thread": one, "file": shown_path(at.file), "line": at.line,
                        "waits_for": written(at, node_of(at))} for one, at, _ in pending[:8]]
            return {"kind": kind, "file": shown_path(call.file), "line": call.line, "function": call.name,
                    "expression": written(call, node_of(call)), "threads": waiting}
    order = known
    if first is None or first.kind() == "join":
        order = [thread for thread in known if thread is not first] + [first] * (first is not None)
    for thread in order:
        kind = thread.kind()
        if kind == "sleep":
            found = thread.loop()
            if found and isinstance(found[2], ast.While) and conditions(found[2]):
                return loop_report(thread, found)
        if kind is not None:
            return wait_report(kind, thread, known)
        found = thread.loop()
        if found:
            return loop_report(thread, found)
    for thread in order:
        kind = "other" if thread.still() else "loop"
        return {**wait_report(kind, thread, [])}
    return None


def watch(seconds, main):
    sleep(seconds)
    samples = []
    for _ in range(SAMPLES):
        samples.append(sample(get_ident()))
        sleep(APART)
    # The program is at its end: what it replaced need not stay.
    builtins.__dict__.update(__builtins__)
    try:
        report = judged(samples, main)
        if report is not None:
            with open(os.path.join(ROOT, OUT + ".part"), "w") as out:
                json.dump(report, out)
            os.replace(os.path.join(ROOT, OUT + ".part"), os.path.join(ROOT, OUT))
    finally:
        os._exit(0)


def main():
    seconds, stdin, entry = float(sys.argv[1]), sys.argv[2], sys.argv[3]
    sys.argv = sys.argv[3:]
    path = os.path.abspath(entry)
    sys.path[0] = os.path.dirname(path)
    with open(entry, "rb") as file:
        code = compile(file.read(), path, "exec")
    module = type(sys)("__main__")
    module.__dict__.update({"__name__": "__main__", "__file__": path, "__builtins__": builtins})
    sys.modules["__main__"] = module
    if stdin == "open":
        # Nobody gave the rest of the input: here neither, and it does not end.
        global kept_open
        reading, kept_open = os.pipe()
        os.dup2(reading, 0)
    threading.Lock, threading.RLock = Traced, TracedAgain
    # A call that never gives up the interpreter's lock stops our thread, too: this one is a thread of the system.
    stacks = open(os.path.join(ROOT, STACKS), "w")
    faulthandler.dump_traceback_later(seconds * 1.5 + SAMPLES * APART, exit=True, file=stacks)
    _thread.start_new_thread(watch, (seconds, get_ident()))
    exec(code, module.__dict__)


main()
