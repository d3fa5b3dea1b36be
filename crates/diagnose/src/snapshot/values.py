"""Values as text, without calling anything of the program: no __repr__, no __len__, no property. Everything is bounded."""
import builtins
import collections
import types

# The program may replace builtins. Functions that are defined from here on use these.
__builtins__ = dict(builtins.__dict__)

VARIABLES = 40
ITEMS = 8
TEXT = 160
DEPTH = 3
# The slots themselves: a metaclass of the program cannot stand between.
NAME_SLOT = type.__dict__["__name__"].__get__
MODULE_SLOT = type.__dict__["__module__"].__get__
MRO = type.__dict__["__mro__"].__get__
SPACE = type.__dict__["__dict__"].__get__
# Modules of the program itself: objects of their classes are shown by their fields.
OWN = {"__main__"}
# Types are compared by id, since a metaclass may define equality.
SEQUENCES = {id(kind): marks for kind, marks in (
    (list, "[]"), (tuple, "()"), (set, "{}"), (frozenset, "{}"), (collections.deque, "{}"))}
MAPPINGS = {id(kind) for kind in (dict, collections.OrderedDict, collections.defaultdict, collections.Counter)}
FUNCTIONS_SHOWN = {id(types.FunctionType), id(types.BuiltinFunctionType)}
DIGITS = 400


def NAME(kind):
    name = NAME_SLOT(kind)
    return name if type(name) is str else "object"


def MODULE(kind):
    name = MODULE_SLOT(kind)
    return name if type(name) is str else ""


def shown(value, depth=0):
    kind = type(value)
    if value is None or kind is bool or kind is float or kind is complex:
        return repr(value)
    if kind is int:
        return repr(value) if value.bit_length() < DIGITS else f"<int of {value.bit_length()} bits>"
    if kind is str or kind is bytes:
        return repr(value) if len(value) <= TEXT else f"{value[:TEXT]!r}... ({len(value)} long)"
    if id(kind) in SEQUENCES:
        opens, closes = SEQUENCES[id(kind)]
        if depth >= DEPTH:
            return f"{opens}...{closes}" if len(value) else opens + closes
        parts = []
        for index, item in enumerate(value):
            if index == ITEMS:
                parts.append(f"... {len(value)} items")
                break
            parts.append(shown(item, depth + 1))
        if kind is tuple and len(parts) == 1:
            closes = ",)"
        return opens + ", ".join(parts) + closes
    if id(kind) in MAPPINGS:
        if depth >= DEPTH:
            return "{...}" if dict.__len__(value) else "{}"
        parts = []
        # Looking a key up would compare it, by the program's own code.
        for index, (key, item) in enumerate(dict.items(value)):
            if index == ITEMS:
                parts.append(f"... {dict.__len__(value)} items")
                break
            parts.append(f"{shown(key, depth + 1)}: {shown(item, depth + 1)}")
        return "{" + ", ".join(parts) + "}"
    if kind is type:
        return f"<class {NAME(value)}>"
    if kind is range:
        bounds = (value.start, value.stop, value.step)
        return repr(value) if all(bound.bit_length() < DIGITS for bound in bounds) else "<range>"
    name = NAME(kind)
    if depth >= DEPTH:
        return f"<{name}>"
    if MODULE(kind) in OWN and MRO(kind)[1:2] == (tuple,) and type(SPACE(kind).get("_fields")) is tuple:
        names = [part for part in SPACE(kind)["_fields"] if type(part) is str]
        parts = [f"{key}={shown(item, depth + 1)}" for key, item in zip(names[:ITEMS], tuple.__iter__(value))]
        return f"{name}({', '.join(parts)})"
    fields = fields_of(value) if MODULE(kind) in OWN else None
    if fields:
        parts = [f"{key}={shown(item, depth + 1)}" for key, item in list(fields.items())[:ITEMS] if type(key) is str]
        return f"{name}({', '.join(parts)})"
    if id(kind) in FUNCTIONS_SHOWN:
        return f"<{name} {value.__name__}>"
    return f"<{name}>"


def fields_of(value):
    """The fields of an object, from its dictionary or its slots."""
    try:
        fields = object.__getattribute__(value, "__dict__")
    except Exception:
        fields = None
    if type(fields) is dict and fields:
        return fields
    fields = {}
    for base in reversed(MRO(type(value))):
        for key, slot in list(SPACE(base).items()):
            if type(slot) is types.MemberDescriptorType and type(key) is str and MODULE(base) in OWN:
                try:
                    fields[key] = slot.__get__(value)
                except AttributeError:
                    continue
    return fields


def cut(text, bound=600):
    return text if len(text) <= bound else text[:bound] + "..."


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
