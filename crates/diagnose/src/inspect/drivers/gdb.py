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
    if LANGUAGE == "go":
        try:
            return cut(go_text(value))
        except (gdb.error, ValueError, RuntimeError, TypeError, KeyError, AttributeError, OverflowError):
            pass
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


# Values of Go as Go writes them. The printers for maps and slices are those that Go itself brings along.
ITEMS, DEPTH = 20, 4


def go_text(value, depth=0):
    kind = value.type
    name = str(kind)
    plain = kind.strip_typedefs()
    if depth > DEPTH:
        return "..."
    if name.startswith("func"):
        return "func"
    if plain.code == gdb.TYPE_CODE_PTR:
        if int(value) == 0:
            return "nil"
        if name.startswith("chan "):
            inner = value.dereference()
            return f"{name} ({int(inner['qcount'])} of {int(inner['dataqsiz'])})"
        if name.startswith("map["):
            return go_map(value, depth)
        target = plain.target().strip_typedefs()
        if depth == 0 and target.code in (gdb.TYPE_CODE_STRUCT, gdb.TYPE_CODE_ARRAY):
            return "&" + go_text(value.dereference(), depth + 1)
        return value.format_string(symbols=False).split(" ")[-1]
    if plain.code == gdb.TYPE_CODE_STRUCT:
        fields = [field.name for field in plain.fields()]
        if name == "string" or fields == ["str", "len"]:
            return go_string(value["str"], int(value["len"]))
        if fields == ["array", "len", "cap"]:
            return go_slice(value, depth)
        if fields in (["tab", "data"], ["_type", "data"]):
            return go_interface(value, depth)
        shown = [f"{field}: {go_text(value[field], depth + 1)}" for field in fields[:ITEMS] if field]
        return f"{name}{{{', '.join(shown)}{', ...' if len(fields) > ITEMS else ''}}}"
    if plain.code == gdb.TYPE_CODE_ARRAY:
        first, last = plain.range()
        return listed((value[at] for at in range(first, min(last + 1, ITEMS))), last + 1 - first, depth)
    if plain.code == gdb.TYPE_CODE_INT and plain.sizeof == 1:
        return str(int(value))
    return value.format_string(symbols=False)


def go_string(data, length):
    if length == 0:
        return '""'
    text = bytes(gdb.selected_inferior().read_memory(int(data), min(length, TEXT)))
    return json.dumps(text.decode("utf-8", "replace"), ensure_ascii=False) + ("..." if length > TEXT else "")


def listed(items, count, depth):
    shown = [go_text(item, depth + 1) for item in items]
    return f"[{', '.join(shown)}{f', ... {count} items' if count > len(shown) else ''}]"


def go_slice(value, depth):
    count, data = int(value["len"]), value["array"]
    if int(data) == 0:
        return "nil"
    if not 0 <= count < 1 << 40:
        return f"<not a slice yet: {count} items>"
    item = data.type.strip_typedefs().target().strip_typedefs()
    if item.code == gdb.TYPE_CODE_INT and item.sizeof == 1 and count:
        text = bytes(gdb.selected_inferior().read_memory(int(data), min(count, 200)))
        if all(32 <= letter < 127 or letter in (9, 10) for letter in text):
            return f"[]byte({json.dumps(text.decode())}{'...' if count > 200 else ''})"
    return listed((data[at] for at in range(min(count, ITEMS))), count, depth)


def go_map(value, depth):
    inner = value.dereference()
    fields = [field.name for field in inner.type.strip_typedefs().fields()]
    pairs = buckets_of(inner) if "buckets" in fields else printed_pairs(value)
    shown = []
    for key, held in pairs:
        if len(shown) == ITEMS:
            break
        shown.append(f"{go_text(key, depth + 1)}: {go_text(held, depth + 1)}")
    count = int(inner["count" if "count" in fields else "used"])
    return f"map[{', '.join(sorted(shown))}{f', ... {count} items' if count > len(shown) else ''}]"


def buckets_of(inner):
    """Keys and values of a map with buckets, as it is up to Go 1.23."""
    if int(inner["buckets"]) == 0:
        return
    for at in range(min(1 << int(inner["B"]), 4096)):
        bucket = inner["buckets"][at]
        for _ in range(64):
            for slot in range(8):
                # Smaller numbers mark empty places.
                if int(bucket["tophash"][slot]) >= 5:
                    yield bucket["keys"][slot], bucket["values"][slot]
            following = bucket["overflow"]
            if int(following) == 0:
                break
            bucket = following.cast(inner["buckets"].type).dereference()


def printed_pairs(value):
    """The same by the printer that Go brings along."""
    key = None
    for at, (_, part) in enumerate(gdb.default_visualizer(value).children()):
        if at % 2:
            yield key, part
        key = part


def go_interface(value, depth):
    """What is in an interface. Its type is known to the program alone, by an offset into the names of its module."""
    first = value[value.type.strip_typedefs().fields()[0].name]
    if int(first) == 0:
        return "nil"
    kind = first["_type"] if "tab" in [field.name for field in value.type.strip_typedefs().fields()] else first
    name = go_type_name(kind.dereference())
    data = value["data"]
    stars = len(name) - len(name.lstrip("*"))
    try:
        plain = name.lstrip("*")
        found = gdb.lookup_type("runtime.stringStruct" if plain == "string" else plain)
    except gdb.error:
        return f"{name} at {data.format_string(symbols=False)}"
    for _ in range(stars):
        found = found.pointer()
    if stars:
        return go_text(data.cast(found), depth)
    return go_text(data.cast(found.pointer()).dereference(), depth)


def go_type_name(kind):
    at = int(gdb.parse_and_eval("'runtime.firstmoduledata'")["types"]) + int(kind["str"])
    memory = gdb.selected_inferior().read_memory
    length, place = 0, at + 1
    for shift in range(0, 21, 7):
        byte = memory(place, 1)[0][0]
        place += 1
        length |= (byte & 127) << shift
        if byte < 128:
            break
    name = bytes(memory(place, min(length, 200))).decode("utf-8", "replace")
    # One name serves a type and the pointer to it; a flag says that a star is to be left out.
    return name[1:] if int(kind["tflag"]) & 2 else name


def kind_of(value):
    """The type, without what nobody writes."""
    text = str(value.type)
    if LANGUAGE == "go":
        while text.endswith(" *"):
            text = "*" + text[:-2]
        return cut(text)
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
    if LANGUAGE == "go":
        try:
            return cut("panic: " + go_text(gdb.newest_frame().read_var("msgs")["arg"]))
        except (gdb.error, ValueError, RuntimeError, TypeError, KeyError, AttributeError):
            pass
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
