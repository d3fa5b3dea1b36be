"""Runs a program and, where an exception ends it, writes the local variables of its frames to a file.

No code of the program is called to show a value: no __repr__, no __len__, no property. Everything is bounded.
"""
import collections
import json
import os
import sys
import traceback
import types

FRAMES = 40
VARIABLES = 40
ITEMS = 8
TEXT = 160
DEPTH = 3
OUT = "formicary-crash.json"
# The slots themselves: a metaclass of the program cannot stand between.
NAME = type.__dict__["__name__"].__get__
MODULE = type.__dict__["__module__"].__get__


def shown(value, depth=0):
    kind = type(value)
    if value is None or kind is bool or kind is float:
        return repr(value)
    if kind is int:
        return repr(value) if value.bit_length() < 400 else f"<int of {value.bit_length()} bits>"
    if kind is str or kind is bytes:
        return repr(value) if len(value) <= TEXT else f"{value[:TEXT]!r}... ({len(value)} long)"
    if kind in (list, tuple, set, frozenset, collections.deque):
        opens, closes = {list: "[]", tuple: "()"}.get(kind, ("{", "}"))
        if depth >= DEPTH:
            return f"{opens}...{closes}"
        parts = []
        for index, item in enumerate(value):
            if index == ITEMS:
                parts.append(f"... {len(value)} items")
                break
            parts.append(shown(item, depth + 1))
        return opens + ", ".join(parts) + closes
    if kind in (dict, collections.OrderedDict, collections.defaultdict, collections.Counter):
        if depth >= DEPTH:
            return "{...}"
        parts = []
        for index, key in enumerate(dict.keys(value)):
            if index == ITEMS:
                parts.append(f"... {dict.__len__(value)} items")
                break
            parts.append(f"{shown(key, depth + 1)}: {shown(dict.__getitem__(value, key), depth + 1)}")
        return "{" + ", ".join(parts) + "}"
    if kind is type:
        return f"<class {NAME(value)}>"
    name = NAME(kind)
    if depth >= DEPTH:
        return f"<{name}>"
    try:
        fields = object.__getattribute__(value, "__dict__")
    except Exception:
        fields = None
    if type(fields) is dict and fields and MODULE(kind) == "__main__":
        parts = [f"{key}={shown(item, depth + 1)}" for key, item in list(fields.items())[:ITEMS]]
        return f"{name}({', '.join(parts)})"
    if kind in (types.FunctionType, types.BuiltinFunctionType):
        return f"<{name} {value.__name__}>"
    return f"<{name}>"


def cut(text):
    return text if len(text) <= 600 else text[:600] + "..."


def frame_of(trace):
    frame = trace.tb_frame
    variables = []
    for name, value in list(frame.f_locals.items()):
        if name.startswith("__") or type(value) is types.ModuleType or len(variables) == VARIABLES:
            continue
        try:
            text = cut(shown(value))
        except BaseException:
            text = "<cannot be shown>"
        variables.append({"name": str(name)[:80], "type": NAME(type(value)), "value": text})
    code = frame.f_code
    return {"function": code.co_name, "file": code.co_filename, "line": trace.tb_lineno, "own": False,
            "variables": variables}


def write(trace, own):
    first, last = [], collections.deque(maxlen=FRAMES)
    while trace is not None:
        if trace.tb_frame.f_code.co_filename != own:
            (first if len(first) < FRAMES else last).append(trace)
        trace = trace.tb_next
    frames = [frame_of(trace) for trace in first + list(last)]
    frames.reverse()
    with open(OUT, "w") as out:
        json.dump(frames, out)


def main():
    own = __file__
    sys.argv = sys.argv[1:]
    entry = sys.argv[0]
    sys.path[0] = os.path.dirname(os.path.abspath(entry))
    with open(entry, "rb") as source:
        code = compile(source.read(), os.path.abspath(entry), "exec")
    scope = {"__name__": "__main__", "__file__": os.path.abspath(entry), "__builtins__": __builtins__}
    module = type(sys)("__main__")
    module.__dict__.update(scope)
    sys.modules["__main__"] = module
    try:
        exec(code, module.__dict__)
    except SystemExit:
        raise
    except BaseException:
        kind, error, trace = sys.exc_info()
        write(trace, own)
        traceback.print_exception(kind, error, trace)
        sys.stdout.flush()
        os._exit(1)


main()
