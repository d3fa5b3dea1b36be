"""Calls that are tried, what they do, and the lines of a test that say so."""

import ast
import asyncio
import collections
import contextlib
import datetime
import decimal
import enum
import fractions
import inspect
import io
import itertools
import json
import pathlib
import re
import signal
import sys
import types
import uuid

LONGEST = 1500


class TooLong(BaseException):
    """The time of one call is over."""


def ring(number, frame):
    raise TooLong()


class Target:
    """A function, method or class to be tested."""

    def __init__(self, kind, name, owner, function):
        self.kind, self.name, self.owner, self.function = kind, name, owner, function

    @property
    def label(self):
        return "%s_%s" % (self.owner, self.name) if self.owner else self.name


class Call:
    """One use of a target; all parts are texts of Python."""

    def __init__(self, args, kwargs=None, receiver=None, before=()):
        self.args, self.kwargs, self.receiver, self.before = list(args), dict(kwargs or {}), receiver, list(before)

    def key(self):
        return json.dumps([self.args, sorted(self.kwargs.items()), self.receiver, self.before])

    def size(self):
        return len(self.key())

    def words(self, args=None):
        args = self.args if args is None else args
        return ", ".join(list(args) + ["%s=%s" % pair for pair in self.kwargs.items()])


class Watcher:
    """Runs calls of one module and tells what they do."""

    def __init__(self, module, path, seconds=0.3):
        self.module, self.path, self.seconds = module, path, seconds
        self.space = {name: __import__(name) for name in ("collections", "datetime", "decimal", "enum", "fractions", "io", "math", "pathlib", "re", "uuid")}
        self.space.update({name: value for name, value in vars(module).items() if not name.startswith("__")})
        self.codes = {}
        self.arcs = None
        with open(path, "rb") as file:
            tree = ast.parse(file.read())
        meant = [node for node in ast.walk(tree) if isinstance(node, (ast.Raise, ast.Assert))]
        self.raising = {line for node in meant for line in range(node.lineno, node.end_lineno + 1)}
        signal.signal(signal.SIGALRM, ring)

    def value(self, text):
        code = self.codes.get(text)
        if code is None:
            if len(self.codes) > 20_000:
                self.codes.clear()
            code = self.codes[text] = compile(text, "<test>", "eval")
        return eval(code, self.space)

    def trace(self, frame, event, argument):
        if frame.f_code.co_filename != self.path:
            return None
        arcs, last = self.arcs, [-frame.f_code.co_firstlineno]

        def local(frame, event, argument):
            if event == "line":
                arcs.add((last[0], frame.f_lineno))
                last[0] = frame.f_lineno
            elif event == "return":
                arcs.add((last[0], 0))
            return local

        return local

    def observe(self, target, call, arcs=None):
        """What a call does, as plain data; nothing where its arguments cannot be made."""
        signal.setitimer(signal.ITIMER_REAL, self.seconds * (4 if arcs is not None else 1), 0.05)
        out = io.StringIO()
        try:
            with contextlib.redirect_stdout(out), contextlib.redirect_stderr(io.StringIO()):
                seen = self.observed(target, call, arcs)
        except TooLong:
            return {"late": True}
        except (RecursionError, MemoryError):
            return None
        finally:
            sys.settrace(None)
            signal.setitimer(signal.ITIMER_REAL, 0)
        if seen is not None and out.getvalue():
            seen["out"] = out.getvalue()[:LONGEST]
        return seen

    def observed(self, target, call, arcs):
        receiver = None
        try:
            args = [self.value(text) for text in call.args]
            kwargs = {name: self.value(text) for name, text in call.kwargs.items()}
            if call.receiver is not None:
                receiver = self.space["obj"] = self.value(call.receiver)
                for text in call.before:
                    self.value("obj." + text)
        except TooLong:
            raise
        except BaseException:
            return None
        before = [form(value, self) for value in args]
        state = form(receiver, self) if receiver is not None else None
        if arcs is not None:
            self.arcs = arcs
            sys.settrace(self.trace)
        try:
            result = self.started(target, receiver, args, kwargs)
            if inspect.isawaitable(result):
                result = asyncio.run(awaited(result))
            if isinstance(result, (types.GeneratorType, map, filter, zip, itertools.chain)) or hasattr(result, "__next__"):
                result = ["items", [value for value in itertools.islice(result, 60)]]
                sys.settrace(None)
                outcome = ["items", form(result[1], self)]
            else:
                sys.settrace(None)
                outcome = ["returns", form(result, self)]
        except TooLong:
            raise
        except (SystemExit, KeyboardInterrupt, Exception) as error:
            sys.settrace(None)
            outcome = ["raises", *raised(error, self)]
        finally:
            sys.settrace(None)
        seen = {"outcome": outcome}
        after = [form(value, self) for value in args]
        moved = {index: new for index, (old, new) in enumerate(zip(before, after)) if old != new and new[0] in ("eq", "object")}
        if moved:
            seen["changed"] = moved
        if receiver is not None and target.kind != "class":
            new = form(receiver, self)
            if new != state and new[0] in ("eq", "object"):
                seen["receiver"] = new
        return seen

    def started(self, target, receiver, args, kwargs):
        if target.kind == "property":
            return getattr(receiver, target.name)
        if target.kind == "method":
            return getattr(receiver, target.name)(*args, **kwargs)
        owner = self.space.get(target.owner) if target.owner else self.module
        return getattr(owner, target.name)(*args, **kwargs)


async def awaited(result):
    return await asyncio.wait_for(result, 2)


def raised(error, watcher):
    kind = type(error)
    name = kind.__name__
    own = watcher.space.get(name) is kind or (kind.__module__ == "builtins")
    if not own:
        name = next((base.__name__ for base in kind.__mro__ if base.__module__ == "builtins"), "Exception")
    trace, place = error.__traceback__, None
    while trace is not None:
        place = (trace.tb_frame.f_code.co_filename, trace.tb_lineno)
        trace = trace.tb_next
    text = str(error)
    meant = place is not None and place[0] == watcher.path and place[1] in watcher.raising
    told = meant and 0 < len(text) < 200 and "0x" not in text and text.isprintable()
    return [name, text if told and name != "KeyError" else None, meant]


def source(value, watcher, depth=0):
    """A text that makes an equal value, or nothing."""
    kind = type(value)
    if depth > 6:
        return None
    if value is None or kind in (bool, int, str, bytes):
        text = repr(value)
        return text if len(text) < LONGEST else None
    if kind is float:
        if value != value:
            return None
        return "float('%r')" % value if value in (float("inf"), float("-inf")) else repr(value)
    if kind in (list, tuple, set, frozenset, dict, collections.deque, collections.OrderedDict, collections.Counter, collections.defaultdict):
        if len(value) > 200:
            return None
        if isinstance(value, dict):
            parts = [(source(k, watcher, depth + 1), source(v, watcher, depth + 1)) for k, v in value.items()]
            if any(k is None or v is None for k, v in parts):
                return None
            inner = "{%s}" % ", ".join("%s: %s" % part for part in parts)
            if kind is dict or kind is collections.defaultdict:
                return inner
            return "collections.%s(%s)" % (kind.__name__, inner)
        parts = [source(item, watcher, depth + 1) for item in value]
        if any(part is None for part in parts):
            return None
        if kind in (set, frozenset):
            parts.sort()
        inner = ", ".join(parts)
        if len(inner) > LONGEST:
            return None
        if kind is list:
            return "[%s]" % inner
        if kind is tuple:
            return "(%s,)" % inner if len(parts) == 1 else "(%s)" % inner
        if kind is set:
            return "{%s}" % inner if parts else "set()"
        if kind is frozenset:
            return "frozenset({%s})" % inner if parts else "frozenset()"
        return "collections.deque([%s])" % inner
    if isinstance(value, enum.Enum) and watcher.space.get(kind.__name__) is kind:
        return "%s.%s" % (kind.__name__, value.name)
    if isinstance(value, type) and value.__module__ == "builtins":
        return value.__name__
    if isinstance(value, pathlib.PurePath):
        return "pathlib.Path(%r)" % str(value)
    if kind in (decimal.Decimal, fractions.Fraction):
        text = "%s.%r" % (kind.__module__, value)
    elif kind in (datetime.datetime, datetime.date, datetime.time, datetime.timedelta, complex):
        text = repr(value)
    elif kind is uuid.UUID:
        text = "uuid.UUID(%r)" % str(value)
    elif watcher.space.get(kind.__name__) is kind or (isinstance(value, tuple) and hasattr(kind, "_fields")):
        text = repr(value)
        if len(text) > LONGEST or "0x" in text or not text.startswith(kind.__name__ + "("):
            return None
    else:
        return None
    try:
        return text if eval(text, dict(watcher.space)) == value and type(eval(text, dict(watcher.space))) is kind else None
    except Exception:
        return None


def form(value, watcher, depth=0):
    """What can be asserted of a value."""
    if type(value) is float:
        return ["nan"] if value != value else ["approx", source(value, watcher)]
    if type(value) in (list, tuple) and value and all(type(item) in (int, float) for item in value) and any(type(item) is float for item in value):
        text = source(value, watcher)
        return ["approx", text] if text and "float(" not in text else ["type", type(value).__name__]
    text = source(value, watcher)
    if text is not None:
        return ["eq", text]
    kind = type(value)
    if depth < 2 and hasattr(value, "__dict__") and not isinstance(value, (type, types.FunctionType, types.ModuleType)):
        parts = {}
        for name, part in sorted(vars(value).items())[:12]:
            if not name.startswith("_"):
                parts[name] = form(part, watcher, depth + 1)
        own = kind.__module__ == watcher.module.__name__
        if own and kind.__str__ is not object.__str__ and not issubclass(kind, BaseException):
            try:
                text = str(value)
                if "0x" not in text and len(text) < 300:
                    parts["str()"] = ["eq", repr(text)]
            except Exception:
                pass
        if own and hasattr(kind, "__len__"):
            try:
                parts["len()"] = ["eq", repr(len(value))]
            except Exception:
                pass
        return ["object", kind.__name__, parts]
    if isinstance(value, types.FunctionType):
        return ["callable"]
    if isinstance(value, re.Match):
        return ["match", form(value.group(0), watcher), form(value.groups(), watcher)]
    return ["type", kind.__name__]


def noticed(seen, got):
    """Whether a test that states `seen` fails where `got` is what happens."""
    if got is None or "late" in got:
        return True
    old, new = seen["outcome"], got["outcome"]
    if old[0] != new[0]:
        return True
    if old[0] == "raises":
        if old[1] != new[1] or (old[2] and old[2] != new[2]):
            return True
    elif not alike(old[1], new[1]):
        return True
    for index, expected in seen.get("changed", {}).items():
        moved = got.get("changed", {})
        found = moved.get(index, moved.get(int(index)))
        if found is None or not alike(expected, found):
            return True
    if "receiver" in seen and not ("receiver" in got and alike(seen["receiver"], got["receiver"])):
        return True
    return "out" in seen and seen["out"] != got.get("out")


def alike(expected, got):
    """Whether what is asserted of one value holds for another."""
    if expected == got:
        return True
    if expected[0] == "object":
        return got[:2] == expected[:2] and all(name in got[2] and alike(part, got[2][name]) for name, part in expected[2].items())
    if expected[0] not in ("eq", "approx") or got[0] not in ("eq", "approx") or expected[1] in ("None", "True", "False"):
        return False
    try:
        one, two = ast.literal_eval(expected[1]), ast.literal_eval(got[1])
        if expected[0] == "eq":
            return one == two
        ones, twos = (one, two) if isinstance(one, (list, tuple)) else ([one], [two])
        return len(ones) == len(twos) and all(abs(a - b) <= max(1e-12, 1e-6 * abs(a)) for a, b in zip(ones, twos))
    except Exception:
        return False


def assertions(name, seen, needs):
    """The lines that state what a value is."""
    kind = seen[0]
    if kind == "eq":
        text = seen[1]
        needs.add(text)
        return ["assert %s %s %s" % (name, "is" if text in ("None", "True", "False") else "==", text)]
    if kind == "approx":
        needs.add("pytest")
        return ["assert %s == pytest.approx(%s)" % (name, seen[1])]
    if kind == "nan":
        return ["assert %s != %s" % (name, name)]
    if kind == "callable":
        return ["assert callable(%s)" % name]
    if kind == "match":
        return assertions("%s.group(0)" % name, seen[1], needs) + assertions("%s.groups()" % name, seen[2], needs)
    if kind == "object":
        lines = ["assert type(%s).__name__ == %r" % (name, seen[1])]
        for part, inner in seen[2].items():
            place = {"str()": "str(%s)" % name, "len()": "len(%s)" % name}.get(part, "%s.%s" % (name, part))
            if part.isidentifier() or part.endswith("()"):
                lines += assertions(place, inner, needs)
        return lines
    return ["assert type(%s).__name__ == %r" % (name, seen[1])]


def written(target, call, seen, needs):
    """The body of a test."""
    lines, args = [], list(call.args)
    needs.update(args)
    needs.update(call.kwargs.values())
    for index in sorted(seen.get("changed", {}), key=int):
        name = "argument_%d" % (int(index) + 1) if len(args) > 1 else "argument"
        lines.append("%s = %s" % (name, args[int(index)]))
        args[int(index)] = name
    if call.receiver is not None:
        needs.add(call.receiver)
        lines.append("obj = %s" % call.receiver)
        needs.update("obj." + text for text in call.before)
        lines += ["obj." + text for text in call.before]
    if target.kind == "property":
        use = "obj.%s" % target.name
    elif target.kind == "method":
        use = "obj.%s(%s)" % (target.name, call.words(args))
    else:
        owner = "%s." % target.owner if target.owner else ""
        use = "%s%s(%s)" % (owner, target.name, call.words(args))
        needs.add(owner + target.name)
    if inspect.iscoroutinefunction(target.function):
        needs.add("asyncio")
        use = "asyncio.run(%s)" % use
    outcome = seen["outcome"]
    printed = seen.get("out")
    if outcome[0] == "raises":
        needs.update(["pytest", outcome[1]])
        lines += ["with pytest.raises(%s)%s:" % (outcome[1], " as error" if outcome[2] else ""), "    %s" % use]
        if outcome[2]:
            lines.append("assert str(error.value) == %r" % outcome[2])
    else:
        if outcome[0] == "items":
            needs.add("itertools")
            use = "list(itertools.islice(%s, 60))" % use
        simple = outcome[1][0] in ("eq", "approx") and not seen.get("changed") and not seen.get("receiver") and not printed
        if simple and outcome[1][1] != "None":
            lines += assertions(use, outcome[1], needs)
        else:
            lines.append("result = %s" % use)
            lines += assertions("result", outcome[1], needs)
    for index, new in sorted(seen.get("changed", {}).items(), key=lambda item: int(item[0])):
        name = "argument_%d" % (int(index) + 1) if len(args) > 1 else "argument"
        lines += assertions(name, new, needs)
    if seen.get("receiver"):
        lines += assertions("obj", seen["receiver"], needs)
    if printed and outcome[0] != "raises":
        lines.append("assert capsys.readouterr().out == %r" % printed)
    return lines


def names_in(texts):
    found = set()
    for text in texts:
        try:
            tree = ast.parse(text)
        except SyntaxError:
            continue
        found.update(node.id for node in ast.walk(tree) if isinstance(node, ast.Name))
    return found
