"""Obeys commands inside of gdb: one JSON object a line, in and out. For C, C++, Rust and Go.

The program's own output goes to stderr, its input comes from a file, so that nothing it prints is taken for an answer.
"""
import json
import os
import re

import gdb

FRAMES, VARIABLES, TEXT = 50, 40, 600
STDIN = "formicary-stdin"
# Where the program writes: it must be open before gdb starts, or gdb closes it.
OUTPUT = 9
HOME = os.getcwd()
LANGUAGE = os.environ.get("FORMICARY_LANGUAGE", "c")
# How a program of the language says that it gives up.
LAST_CALLS = {"rust": ["rust_panic"], "go": ["runtime.fatalpanic"], "cpp": [], "c": []}
RAISING = {"rust": ["rust_panic"], "go": ["runtime.gopanic"], "cpp": ["__cxa_throw"], "c": []}


class Line:
    """The line to whoever commands."""

    def __init__(self):
        self.ears = os.fdopen(os.dup(0), "r", encoding="utf-8", errors="replace")
        self.mouth = os.fdopen(os.dup(1), "w", encoding="utf-8", errors="backslashreplace")
        # What gdb says by itself is nobody's; the program gets its streams when it starts.
        nothing = os.open(os.devnull, os.O_RDWR)
        for stream in (0, 1, 2):
            os.dup2(nothing, stream)

    def say(self, **message):
        self.mouth.write(json.dumps(message) + "\n")
        self.mouth.flush()

    def hear(self):
        text = self.ears.readline()
        return json.loads(text) if text else {"do": "quit", "id": 0}


def cut(text):
    return text if len(text) <= TEXT else text[:TEXT] + "..."


def quietly(command):
    return gdb.execute(command, to_string=True)


class State:
    line = None
    exit_code = None
    signal = ""
    logs = {}
    hit = []


def on_stop(event):
    State.signal = getattr(event, "stop_signal", "") or ""
    State.hit = list(getattr(event, "breakpoints", []) or [])


def on_exit(event):
    State.exit_code = getattr(event, "exit_code", None)
    if State.exit_code is None:
        State.exit_code = -1


def alive():
    return State.exit_code is None and gdb.selected_inferior().pid != 0


def is_own(name):
    return bool(name) and os.path.abspath(name).startswith(HOME + "/")


def frames():
    found = []
    try:
        frame = gdb.newest_frame()
        while frame is not None and len(found) < FRAMES:
            found.append(frame)
            frame = frame.older()
    except gdb.error:
        pass
    return found


def place(frame):
    where = frame.find_sal()
    name = where.symtab.fullname() if where.symtab else None
    own = is_own(name)
    if own:
        name = os.path.relpath(name, HOME)
    elif name:
        name = where.symtab.filename
    return name, where.line or None, own


def text_of(value, follow=True):
    try:
        text = value.format_string(max_elements=20, repeat_threshold=20, symbols=False)
        kind = value.type.strip_typedefs()
        # What a pointer points to says more than where it points.
        if follow and kind.code == gdb.TYPE_CODE_PTR and int(value) != 0:
            target = kind.target().strip_typedefs()
            if target.code in (gdb.TYPE_CODE_STRUCT, gdb.TYPE_CODE_UNION):
                text = f"{text.split(' ')[0]} -> {text_of(value.dereference(), False)}"
        return cut(text)
    except TypeError:
        return cut(str(value))
    except (gdb.error, ValueError, RuntimeError) as error:
        return f"<cannot be read: {error}>"


def kind_of(value):
    """The type, without what nobody writes."""
    text = str(value.type)
    text = re.sub(r"std::(__cxx11::)?basic_string<char, std::char_traits<char>, std::allocator<char> ?>", "std::string", text)
    for _ in range(4):
        text = re.sub(r", std::(allocator|less|hash|equal_to|char_traits|default_delete)<[^<>]*(<[^<>]*>)?[^<>]*>(?= ?[,>])", "", text)
    return cut(text.replace(" >", ">"))


def variables(frame):
    found, seen = [], set()
    try:
        block = frame.block()
    except RuntimeError:
        return found
    line = frame.find_sal().line
    while block is not None and len(found) < VARIABLES:
        for symbol in block:
            known = symbol.is_variable or symbol.is_argument
            # What is declared further down has no value yet.
            hidden = symbol.name.startswith(("__", "~"))
            early = hidden or symbol.line and line and symbol.line > line and not symbol.is_argument
            if not known or symbol.name in seen or early or len(found) == VARIABLES:
                continue
            seen.add(symbol.name)
            try:
                value = symbol.value(frame)
                kind, text = kind_of(value), text_of(value)
            except (gdb.error, RuntimeError, TypeError, ValueError):
                continue
            if text != "<optimized out>":
                found.append({"name": symbol.name, "type": kind, "value": text})
        if block.function is not None:
            break
        block = block.superblock
    return found


def told():
    result = []
    for frame in frames():
        name, line, own = place(frame)
        result.append({"function": function_of(frame), "file": name, "line": line, "own": own,
                       "variables": variables(frame) if own else []})
    return result


def function_of(frame):
    name = frame.name()
    # Rust's names end in a hash.
    return re.sub(r"::h[0-9a-f]{16}$", "", name) if name else None


def why():
    if State.signal and State.signal not in ("0", "SIGTRAP"):
        return "signal", State.signal
    for point in State.hit:
        location = point.location or ""
        if location in LAST_CALLS.get(LANGUAGE, []) + RAISING.get(LANGUAGE, []):
            return "exception", panic_text()
        return "breakpoint", ""
    return "step", ""


def panic_text():
    return {"rust": "panic", "go": "panic", "cpp": "exception thrown"}.get(LANGUAGE, "")


def obey(command):
    do, number = command.get("do"), command.get("id")
    try:
        if do == "quit":
            State.line.say(id=number, ok=True)
            finish()
        elif do == "break":
            State.line.say(id=number, ok=True, line=put_break(command))
        elif do == "catch":
            if command.get("what") == "raised":
                for name in RAISING.get(LANGUAGE, []):
                    gdb.Breakpoint(name, internal=False)
            State.line.say(id=number, ok=True)
        elif do == "evaluate":
            frames()[int(command.get("frame") or 0)].select()
            value = gdb.parse_and_eval(command["expression"])
            State.line.say(id=number, ok=True, value=text_of(value), type=kind_of(value))
        else:
            State.line.say(id=number, error=f"unknown command {do!r}")
    except (gdb.error, ValueError, RuntimeError, IndexError, KeyError, TypeError) as error:
        State.line.say(id=number, error=cut(str(error)))


def put_break(command):
    wanted = command.get("function")
    spec = wanted or f"{command.get('file') or os.environ.get('FORMICARY_ENTRY', '')}:{int(command['line'])}"
    if LANGUAGE == "go" and wanted and "." not in wanted:
        spec = "main." + wanted
    if LANGUAGE == "rust" and wanted and "::" not in wanted:
        spec = os.environ.get("FORMICARY_CRATE", "main") + "::" + wanted
    point = gdb.Breakpoint(spec)
    if point.pending:
        point.delete()
        raise ValueError(f"no place {spec!r} in the program")
    if command.get("condition"):
        point.condition = command["condition"]
    if command.get("log"):
        State.logs[point.number] = command["log"]
    lines = [location.source[1] for location in getattr(point, "locations", []) if location.source]
    return lines[0] if lines else line_of(point.number) or command.get("line")


def line_of(number):
    found = re.search(r":(\d+)\s*$", quietly(f"info breakpoints {number}").strip().splitlines()[-1])
    return int(found.group(1)) if found else None


def filled(text):
    def value(match):
        try:
            return text_of(gdb.parse_and_eval(match.group(1)))
        except gdb.error as error:
            return f"<{error}>"
    return cut(re.sub(r"\{([^}]*)\}", value, text))


def go_on(word):
    State.hit, State.signal = [], ""
    try:
        quietly(word)
    except gdb.error as error:
        if alive():
            return str(error)
    return ""


WORDS = {"continue": "continue", "next": "next", "step": "step", "out": "finish"}


def run():
    State.line = Line()
    gdb.events.stop.connect(on_stop)
    gdb.events.exited.connect(on_exit)
    for setting in ("pagination off", "confirm off", "width 0", "print static-members off",
                    "breakpoint pending off", "print thread-events off", "print inferior-events off"):
        quietly("set " + setting)
    for signal in ("SIGURG", "SIGPIPE", "SIGCHLD", "SIGUSR1", "SIGUSR2"):
        quietly(f"handle {signal} nostop noprint pass")
    # Libraries are walked over, not into.
    quietly("skip -gfi /usr/*")
    for name in LAST_CALLS.get(LANGUAGE, []):
        try:
            gdb.Breakpoint(name)
        except gdb.error:
            pass
    State.line.say(event="ready")
    while True:
        command = State.line.hear()
        if command.get("do") != "continue":
            obey(command)
            continue
        State.line.say(id=command.get("id"), ok=True)
        break
    given = STDIN if os.path.exists(STDIN) else os.devnull
    go_on(f"run < {given} 1>&{OUTPUT} 2>&{OUTPUT}")
    while alive():
        logged = [State.logs[point.number] for point in State.hit if point.number in State.logs]
        if logged:
            for text in logged:
                State.line.say(event="log", text=filled(text))
            go_on("continue")
            continue
        reason, text = why()
        State.line.say(event="stopped", reason=reason, text=text, frames=told())
        while True:
            command = State.line.hear()
            word = WORDS.get(command.get("do"))
            if word is None:
                obey(command)
                continue
            State.line.say(id=command.get("id"), ok=True)
            complaint = go_on(word)
            if complaint and word != "continue":
                go_on("continue")
            break
    code = State.exit_code if State.exit_code is not None else 0
    State.line.say(event="exited", code=code)
    finish(code)


def finish(code=0):
    try:
        if gdb.selected_inferior().pid:
            quietly("kill")
    except gdb.error:
        pass
    os._exit(code if 0 <= code < 256 else 1)


run()
