"""Values as text, without calling anything of the program: no __repr__, no __len__, no property. Everything is bounded."""
import collections
import types

VARIABLES = 40
ITEMS = 8
TEXT = 160
DEPTH = 3
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


def variables_of(frame):
    variables = []
    for name, value in list(frame.f_locals.items()):
        if name.startswith("__") or type(value) is types.ModuleType or len(variables) == VARIABLES:
            continue
        try:
            text = cut(shown(value))
        except BaseException:
            text = "<cannot be shown>"
        variables.append({"name": str(name)[:80], "type": NAME(type(value)), "value": text})
    return variables
