"""Arguments to try: from type hints, defaults, names, how a parameter is used, literals, doctests, boundary values.

An argument is an expression of Python as text: what is tried is what will stand in the test.
"""

import ast
import collections.abc
import doctest
import enum
import inspect
import random
import re
import types
import typing

INTS = ["0", "1", "2", "-1", "3", "10", "7", "100", "-5", "5", "255", "1000"]
FLOATS = ["0.0", "1.0", "0.5", "-1.5", "2.25", "100.0", "1e-09", "3.7"]
TEXTS = ["''", "'abc'", "'a'", "'Hello World'", "'123'", "'a b  c'", "'foo_bar-baz'", "'  x '", "'1.5'", "'A,b;C'", "'\\u00c9t\\u00e9'", "'fooBarBaz'", "'a/b/c.txt'", "'line one\\nline two\\n'", "'key=value'", "'-12'", "'[1, 2]'", "'x' * 30"]
BYTES = ["b''", "b'abc'", "b'\\x00\\xff'", "b'Hello World'"]
LISTS = ["[]", "[1]", "[3, 1, 2]", "[1, 2, 2, 3]", "['a', 'b']", "[[1, 2], [3]]", "[0, None, 1, '']", "[5, -1, 0, 4]", "[(1, 2), (3, 4)]", "[1.5, 2]"]
DICTS = ["{}", "{'a': 1}", "{'a': 1, 'b': {'c': 2}}", "{1: 'x', 2: 'y'}", "{'a': [1, 2], 'b': None}"]
TUPLES = ["()", "(1, 2)", "('a', 1)", "(0, 0, 0)", "(3, 2, 1)"]
SETS = ["set()", "{1, 2, 3}", "{'a'}"]
BOOLS = ["True", "False"]
CALLS = ["len", "str", "(lambda *a, **k: None)", "(lambda x: x)", "(lambda x: not x)", "(lambda x, y: x == y)", "int"]
NONE = ["None"]
KINDS = {
    "int": INTS, "float": FLOATS, "str": TEXTS, "bytes": BYTES, "list": LISTS, "dict": DICTS, "tuple": TUPLES, "set": SETS,
    "bool": BOOLS, "callable": CALLS, "none": NONE,
}
BY_TYPE = {
    int: "int", float: "float", str: "str", bytes: "bytes", list: "list", dict: "dict", tuple: "tuple", set: "set", bool: "bool",
    type(None): "none", frozenset: "set", bytearray: "bytes", complex: "float", object: "int",
}
KNOWN = {
    "datetime.datetime": ["datetime.datetime(2024, 2, 29, 12, 30)", "datetime.datetime(1999, 12, 31)"],
    "datetime.date": ["datetime.date(2024, 2, 29)", "datetime.date(1999, 12, 31)"],
    "datetime.time": ["datetime.time(12, 30)"],
    "datetime.timedelta": ["datetime.timedelta(days=1, seconds=5)", "datetime.timedelta(0)", "datetime.timedelta(days=-3)"],
    "decimal.Decimal": ["decimal.Decimal('1.50')", "decimal.Decimal('0')", "decimal.Decimal('-7')"],
    "fractions.Fraction": ["fractions.Fraction(1, 3)", "fractions.Fraction(0)"],
    "pathlib.Path": ["pathlib.Path('a/b.txt')"],
    "re.Pattern": ["re.compile('a+')"],
    "io.StringIO": ["io.StringIO('a\\nb\\n')"],
    "io.BytesIO": ["io.BytesIO(b'ab')"],
}
MODULES = ["collections", "datetime", "decimal", "enum", "fractions", "io", "math", "pathlib", "re", "uuid"]
STR_METHODS = {name for name in dir(str) if not name.startswith("_")} - {"count", "index"}
LIST_METHODS = {"append", "extend", "insert", "pop", "remove", "sort", "reverse"}
DICT_METHODS = {"items", "keys", "values", "get", "update", "setdefault", "popitem"}
NAMES = [
    (r"^(s|str|string|text|txt|word|words_?|line|name|title|msg|message|sep|delimiter|prefix|suffix|path|filename|url|pattern|phrase|sentence|char|ch|c|raw|source|src|html|code|content|label|fmt|format|unit)$|_(str|name|text|string)$", "str"),
    (r"^(n|i|j|k|m|num|number|count|size|length|width|height|index|idx|start|stop|end|limit|depth|level|step|times|base|year|month|day|x|y|z|a|b|precision|digits|offset|position|amount|max\w*|min\w*)$|_(count|size|len|index|id)$", "int"),
    (r"^(l|lst|list|xs|ys|items|values|seq|sequence|iterable|it|arr|array|nums|numbers|elements|objs|args|rows|words|strings|parts|lines|data|collection|iterables?)$", "list"),
    (r"^(d|dict|dct|mapping|map|options|config|kwargs|params|attrs|obj|context|headers|fields|counts)$", "dict"),
    (r"^(f|fn|func|function|callback|predicate|key|cmp|transform|pred|getter|handler|iteratee|comparator)$", "callable"),
    (r"^(is_|has_|should_|use_|allow_|ignore_|reverse|strict|flag|recursive|inclusive|case_sensitive|lower|upper)", "bool"),
    (r"^(b|buf|bytes|blob|payload|data|digest)$", "bytes"),
    (r"^(ratio|rate|value|val|weight|factor|alpha|beta|seconds|radius|epsilon|eps|tol)$", "float"),
]


class Uses(ast.NodeVisitor):
    """How a function uses its parameters."""

    def __init__(self, names):
        self.kinds = {name: {} for name in names}
        self.keys = {name: [] for name in names}
        self.values = {name: [] for name in names}

    def vote(self, node, kind, weight=1):
        if isinstance(node, ast.Name) and node.id in self.kinds:
            self.kinds[node.id][kind] = self.kinds[node.id].get(kind, 0) + weight

    def literal(self, node, other):
        if isinstance(node, ast.Name) and node.id in self.values:
            for part in [other] + list(getattr(other, "elts", [])):
                if isinstance(part, ast.Constant) and part.value is not Ellipsis:
                    self.values[node.id].append(repr(part.value))
                    self.vote(node, BY_TYPE.get(type(part.value), "int"), 2)

    def visit_Attribute(self, node):
        if node.attr in DICT_METHODS:
            self.vote(node.value, "dict", 3)
        elif node.attr in LIST_METHODS:
            self.vote(node.value, "list", 3)
        elif node.attr in STR_METHODS:
            self.vote(node.value, "str", 3)
        self.generic_visit(node)

    def visit_Call(self, node):
        name = node.func.id if isinstance(node.func, ast.Name) else getattr(node.func, "attr", "")
        if isinstance(node.func, ast.Name):
            self.vote(node.func, "callable", 4)
        first = node.args[0] if node.args else None
        if name in ("len", "iter", "enumerate", "sorted", "list", "tuple", "set", "reversed", "zip", "map", "sum", "max", "min"):
            for argument in node.args:
                self.vote(argument, "list")
        elif name in ("isinstance",) and len(node.args) == 2:
            for part in ast.walk(node.args[1]):
                kind = {"str": "str", "int": "int", "float": "float", "list": "list", "dict": "dict", "tuple": "tuple", "set": "set", "bytes": "bytes", "bool": "bool", "Mapping": "dict", "Iterable": "list", "Sequence": "list"}.get(getattr(part, "id", getattr(part, "attr", "")))
                if kind:
                    self.vote(first, kind, 2)
        elif name in ("range", "abs", "round", "divmod", "chr", "pow", "hex", "bin", "isqrt", "floor", "ceil", "sqrt"):
            self.vote(first, "int", 2)
        elif name in ("ord", "match", "search", "sub", "findall", "split", "fullmatch", "finditer"):
            for argument in node.args[-2:]:
                self.vote(argument, "str")
        elif name in ("get", "pop", "setdefault") and isinstance(node.func, ast.Attribute) and isinstance(node.func.value, ast.Name):
            if node.args and isinstance(node.args[0], ast.Constant) and isinstance(node.args[0].value, str):
                self.keys.get(node.func.value.id, []).append(node.args[0].value)
                self.vote(node.func.value, "dict", 3)
        self.generic_visit(node)

    def visit_Subscript(self, node):
        if isinstance(node.value, ast.Name) and node.value.id in self.kinds:
            key = node.slice
            if isinstance(key, ast.Constant) and isinstance(key.value, str):
                self.keys[node.value.id].append(key.value)
                self.vote(node.value, "dict", 4)
            else:
                self.vote(node.value, "list", 1)
                self.vote(node.value, "str", 1)
        self.vote(node.slice, "int")
        self.generic_visit(node)

    def visit_For(self, node):
        self.vote(node.iter, "list", 2)
        self.vote(node.iter, "str", 1)
        self.generic_visit(node)

    def visit_comprehension(self, node):
        self.vote(node.iter, "list", 2)
        self.vote(node.iter, "str", 1)
        self.generic_visit(node)

    def visit_Compare(self, node):
        sides = [node.left] + node.comparators
        for operator, left, right in zip(node.ops, sides, sides[1:]):
            self.literal(left, right)
            self.literal(right, left)
            if isinstance(operator, (ast.Lt, ast.LtE, ast.Gt, ast.GtE)):
                self.vote(left, "int")
                self.vote(right, "int")
            elif isinstance(operator, (ast.In, ast.NotIn)):
                self.vote(right, "list")
                self.vote(right, "str")
        self.generic_visit(node)

    def visit_BinOp(self, node):
        for side, other in ((node.left, node.right), (node.right, node.left)):
            if isinstance(node.op, (ast.Sub, ast.Mult, ast.Div, ast.FloorDiv, ast.Mod, ast.Pow, ast.BitAnd, ast.BitOr, ast.BitXor, ast.LShift, ast.RShift)):
                self.vote(side, "int", 2)
                if isinstance(node.op, (ast.Div, ast.Mult, ast.Sub)):
                    self.vote(side, "float")
            elif isinstance(other, ast.Constant):
                self.vote(side, BY_TYPE.get(type(other.value), "int"), 2)
        self.generic_visit(node)


def literals_of(tree):
    """Constants in code, as expressions, short ones."""
    found = []
    for node in ast.walk(tree):
        if isinstance(node, ast.Constant) and isinstance(node.value, (int, float, str, bytes)) and not isinstance(node.value, bool):
            if isinstance(node.value, (str, bytes)) and len(node.value) > 60:
                continue
            text = repr(node.value)
            if text not in found:
                found.append(text)
    return found


def matching(pattern, flags=0, chance=None):
    """A text that a regular expression matches, roughly."""
    chance = chance or random.Random(7)
    parser = getattr(re, "_parser", None)
    if parser is None:
        import sre_parse as parser

    def made(parts):
        out = []
        for operator, value in parts:
            name = str(operator)
            if name == "LITERAL":
                out.append(chr(value))
            elif name in ("ANY", "NOT_LITERAL"):
                out.append("x" if value is None or chr(value) != "x" else "y")
            elif name == "IN":
                out.append(one_of(value))
            elif name in ("MAX_REPEAT", "MIN_REPEAT", "POSSESSIVE_REPEAT"):
                low, high, body = value
                times = min(max(low, chance.choice([low, low + 1, low + 2])), int(high) if str(high) != "MAXREPEAT" else low + 3)
                out.append("".join(made(body) for _ in range(times)))
            elif name == "SUBPATTERN":
                out.append(made(value[-1]))
            elif name == "BRANCH":
                out.append(made(chance.choice(value[1])))
        return "".join(out)

    def one_of(items):
        choices = []
        for operator, value in items:
            name = str(operator)
            if name == "LITERAL":
                choices.append(chr(value))
            elif name == "RANGE":
                choices.extend([chr(value[0]), chr(value[1]), chr((value[0] + value[1]) // 2)])
            elif name == "CATEGORY":
                choices.append({"CATEGORY_DIGIT": "7", "CATEGORY_SPACE": " ", "CATEGORY_WORD": "w"}.get(str(value), "-"))
            elif name == "NEGATE":
                return "q"
        return chance.choice(choices) if choices else ""

    try:
        return made(parser.parse(pattern, flags))
    except Exception:
        return ""


class Makers:
    """Pools of arguments for the parameters of a module's functions."""

    def __init__(self, module, tree, chance):
        self.module, self.tree, self.chance = module, tree, chance
        self.literals = literals_of(tree)
        self.classes = {
            name: value for name, value in vars(module).items()
            if isinstance(value, type) and getattr(value, "__module__", None) == module.__name__ and not issubclass(value, BaseException)
        }
        self.matches = []
        held = [part for value in list(vars(module).values()) for part in held_by(value)]
        self.literals += [text for text in map(repr, filter(plain, held)) if text not in self.literals and len(text) < 60][:60]
        for value in held:
            if isinstance(value, re.Pattern) and isinstance(value.pattern, str):
                self.matches += [repr(matching(value.pattern, value.flags, chance)) for _ in range(3)]
        for node in ast.walk(tree):
            if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and getattr(node.func.value, "id", "") == "re":
                if node.args and isinstance(node.args[0], ast.Constant) and isinstance(node.args[0].value, str):
                    self.matches += [repr(matching(node.args[0].value, 0, chance)) for _ in range(3)]
        self.matches = [text for text in dict.fromkeys(self.matches) if len(text) < 200][:40]

    def pool(self, parameter, hint, uses, own_literals):
        found = []
        name = parameter.name
        if hint is not inspect.Parameter.empty and hint is not typing.Any:
            found += self.by_hint(hint, 0)
        votes = dict(uses.kinds.get(name, {})) if uses else {}
        if parameter.default is not inspect.Parameter.empty:
            if parameter.default is not None:
                kind = BY_TYPE.get(type(parameter.default))
                if kind:
                    votes[kind] = votes.get(kind, 0) + 4
                if expressible(parameter.default):
                    found.append(repr(parameter.default))
            else:
                votes["none"] = votes.get("none", 0) + 1
        for pattern, kind in NAMES:
            if re.search(pattern, name.lower()):
                votes[kind] = votes.get(kind, 0) + 2
        if not found and not votes:
            votes = {"str": 2, "int": 2, "list": 1, "dict": 1, "float": 0.5}
        keys = list(dict.fromkeys(uses.keys.get(name, []))) if uses else []
        if keys:
            for values in ("1", "'a'", "[1, 2]"):
                found.append("{%s}" % ", ".join("%r: %s" % (key, values) for key in keys[:6]))
            found.append("{%r: 2}" % keys[0])
        found += uses.values.get(name, []) if uses else []
        lists = []
        typed = hint is not inspect.Parameter.empty and hint is not typing.Any and bool(found)
        for kind in sorted(votes, key=lambda kind: -votes[kind])[: 2 if typed else 4]:
            lists.append(self.of_kind(kind, own_literals))
        for rank in range(40):
            found += [pool[rank] for pool in lists if rank < len(pool)]
        return list(dict.fromkeys(found))[:90] or ["None"]

    def of_kind(self, kind, own_literals):
        base = list(KINDS[kind])
        wanted = {"int": int, "float": (int, float), "str": str, "bytes": bytes}.get(kind)
        if wanted is None:
            return base
        extra = []
        for text in own_literals + self.literals:
            value = ast.literal_eval(text)
            if isinstance(value, wanted):
                extra.append(text)
                if isinstance(value, int):
                    extra += [repr(value + 1), repr(value - 1)]
        extra = list(dict.fromkeys(extra))[:60]
        if kind == "str":
            extra = self.matches[:12] + extra
        mixed = []
        for rank in range(max(len(base), len(extra))):
            mixed += base[rank : rank + 1] + extra[rank : rank + 1]
        return mixed

    def by_hint(self, hint, depth):
        if isinstance(hint, str) or depth > 3:
            return []
        if hint is None or hint is type(None):
            return ["None"]
        origin, parts = typing.get_origin(hint), typing.get_args(hint)
        if isinstance(hint, typing.TypeVar):
            choices = hint.__constraints__ or ((hint.__bound__,) if hint.__bound__ else ())
            return [text for choice in choices for text in self.by_hint(choice, depth + 1)] or INTS[:3] + TEXTS[:3]
        if origin is typing.Union or origin is getattr(types, "UnionType", None):
            pools = [self.by_hint(part, depth + 1) for part in parts]
            return [pool[rank] for rank in range(30) for pool in pools if rank < len(pool)]
        if origin is typing.Literal:
            return [repr(part) for part in parts if expressible(part)]
        if origin is typing.Annotated or origin is getattr(typing, "ClassVar", None):
            return self.by_hint(parts[0], depth)
        if origin is type:
            return ["int", "str", "dict"]
        if origin is collections.abc.Callable or hint is collections.abc.Callable or hint is typing.Callable:
            return list(CALLS)
        base = origin or hint
        if not isinstance(base, type):
            return []
        if base is bool:
            return list(BOOLS)
        if issubclass(base, enum.Enum):
            return ["%s.%s" % (base.__name__, member.name) for member in base][:12] if self.names(base) else []
        if base in (list, collections.abc.Iterable, collections.abc.Sequence, collections.abc.Collection, collections.abc.MutableSequence, collections.abc.Iterator, collections.abc.Generator):
            inner = self.inner(parts, 0, depth)
            made = ["[]", "[%s]" % inner[0], "[%s]" % ", ".join(inner[:3]), "[%s]" % ", ".join(reversed(inner[:5])), "[%s, %s]" % (inner[0], inner[0])] if inner else list(LISTS)
            made += ["[%s]" % ", ".join(self.chance.choice(inner) for _ in range(self.chance.randint(2, 6))) for _ in range(6)] if inner else []
            lazy = base in (collections.abc.Iterator, collections.abc.Generator)
            made = ["iter(%s)" % text for text in made] if lazy else made
            return made + (["'abc'"] if base is collections.abc.Iterable and not parts else [])
        if base in (set, frozenset, collections.abc.Set, collections.abc.MutableSet):
            inner = self.inner(parts, 0, depth) or ["1", "2"]
            return ["set()", "{%s}" % inner[0], "{%s}" % ", ".join(inner[:3])]
        if base in (dict, collections.abc.Mapping, collections.abc.MutableMapping):
            keys, values = self.inner(parts, 0, depth) or TEXTS[1:5], self.inner(parts, 1, depth) or INTS
            pairs = list(zip(keys, values))
            return ["{}", "{%s: %s}" % pairs[0], "{%s}" % ", ".join("%s: %s" % pair for pair in pairs[:3]), "{%s}" % ", ".join("%s: %s" % pair for pair in pairs[3:8])]
        if base is tuple:
            if parts and parts[-1] is not Ellipsis:
                pools = [self.by_hint(part, depth + 1) or INTS for part in parts]
                return ["(%s,)" % ", ".join(pool[rank % len(pool)] for pool in pools) for rank in range(6)]
            inner = self.inner(parts, 0, depth) or INTS
            return ["()", "(%s,)" % inner[0], "(%s)" % ", ".join(inner[:3])]
        kind = BY_TYPE.get(base)
        if kind:
            return self.of_kind(kind, [])
        full = "%s.%s" % (base.__module__, base.__qualname__)
        if full in KNOWN:
            return KNOWN[full]
        if base.__name__ in ("PathLike",):
            return KNOWN["pathlib.Path"] + TEXTS[-2:]
        if self.names(base):
            return self.instances(base, depth + 1)
        return []

    def inner(self, parts, index, depth):
        return self.by_hint(parts[index], depth + 1) if len(parts) > index else []

    def names(self, base):
        return getattr(self.module, base.__name__, None) is base

    def instances(self, base, depth=1):
        """Expressions that make objects of a class, its abstract methods aside."""
        if inspect.isabstract(base):
            made = []
            for other in self.classes.values():
                if other is not base and issubclass(other, base) and not inspect.isabstract(other):
                    made += self.instances(other, depth + 1)
            return made[:8]
        if depth > 3:
            return []
        try:
            signature = inspect.signature(base)
            hints = hints_of(base.__init__)
        except (TypeError, ValueError):
            return ["%s()" % base.__name__]
        pools, names = [], []
        node = next((n for n in ast.walk(self.tree) if isinstance(n, ast.ClassDef) and n.name == base.__name__), None)
        init = next((n for n in node.body if isinstance(n, ast.FunctionDef) and n.name == "__init__"), None) if node else None
        uses = Uses(list(signature.parameters))
        if init is not None:
            uses.visit(init)
        field_hints = hints_of(base)
        for parameter in signature.parameters.values():
            if parameter.kind in (parameter.VAR_POSITIONAL, parameter.VAR_KEYWORD):
                continue
            hint = hints.get(parameter.name, field_hints.get(parameter.name, parameter.annotation))
            names.append(parameter)
            pools.append(self.pool(parameter, hint, uses, []))
        made = []
        for rank in range(8):
            words = []
            for index, (parameter, pool) in enumerate(zip(names, pools)):
                if parameter.default is not parameter.empty and (rank % 3 == 0 or (rank + index) % 2):
                    continue
                text = pool[(rank * (index + 1)) % len(pool)] if rank else pool[0]
                plain = parameter.kind is not parameter.KEYWORD_ONLY and parameter.default is parameter.empty
                words.append(text if plain else "%s=%s" % (parameter.name, text))
            made.append("%s(%s)" % (base.__name__, ", ".join(words)))
        return list(dict.fromkeys(made))


def held_by(value):
    """A value of a module, or what a container in it holds: tables and lists of patterns are what its functions look into."""
    if isinstance(value, dict):
        return [part for pair in list(value.items())[:20] for part in pair]
    return list(value)[:20] if isinstance(value, (list, tuple)) else [value]


def plain(value):
    return type(value) in (int, float, str, bytes) and value == value and value not in (float("inf"), float("-inf"))


def hints_of(function):
    try:
        return typing.get_type_hints(function)
    except Exception:
        return {}


def expressible(value):
    """Whether the value's text makes the value again."""
    try:
        return type(ast.literal_eval(repr(value))) is type(value)
    except Exception:
        return False


def examples(function, name):
    """Calls in the examples of a docstring, as lists of arguments."""
    found = []
    text = inspect.getdoc(function) or ""
    if ">>>" not in text:
        return found
    try:
        parsed = doctest.DocTestParser().get_examples(text)
    except ValueError:
        return found
    for example in parsed:
        try:
            tree = ast.parse(example.source)
        except SyntaxError:
            continue
        for node in ast.walk(tree):
            if isinstance(node, ast.Call) and getattr(node.func, "id", getattr(node.func, "attr", None)) == name:
                if not any(isinstance(part, (ast.Name, ast.Starred)) and getattr(part, "id", "") not in ("True", "False") for argument in node.args + [k.value for k in node.keywords] for part in ast.walk(argument) if not isinstance(part, ast.Load)):
                    found.append(([ast.unparse(a) for a in node.args], {k.arg: ast.unparse(k.value) for k in node.keywords if k.arg}))
    return found


def changed(text, chance, literals):
    """A neighbour of an argument; the same text where it cannot be changed."""
    try:
        value = ast.literal_eval(text)
    except Exception:
        return text
    try:
        value = neighbour(value, chance, literals, 0)
    except Exception:
        return text
    made = repr(value)
    return made if len(made) < 300 else text


def neighbour(value, chance, literals, depth):
    kind = type(value)
    if kind is bool:
        return not value
    if kind is int:
        return chance.choice([value + 1, value - 1, -value, value * 2, value // 2, chance.randint(-10, 10), chance.randint(0, 1000), value * 10 + chance.randint(0, 9), 10 ** chance.randint(1, 21) - chance.randint(0, 1), 2 ** chance.randint(3, 64) - chance.randint(0, 1)])
    if kind is float:
        return chance.choice([value + 1, -value, value * 2, value / 2, round(value, 1), chance.uniform(-10, 10).__round__(3), float(int(value))])
    if kind is str or kind is bytes:
        return text_neighbour(value, chance, literals)
    if kind in (list, tuple, set):
        items = list(value)
        choice = chance.randint(0, 5)
        if choice == 0 and items:
            del items[chance.randrange(len(items))]
        elif choice == 1 and items:
            items.insert(chance.randrange(len(items) + 1), items[chance.randrange(len(items))])
        elif choice == 2:
            chance.shuffle(items)
        elif choice == 3 or not items:
            literal = [ast.literal_eval(text) for text in literals[:20]] or [0]
            items.append(neighbour(items[-1], chance, literals, depth + 1) if items and depth < 3 else chance.choice(literal + [0, 1, 2, "a"]))
        else:
            index = chance.randrange(len(items))
            items[index] = neighbour(items[index], chance, literals, depth + 1)
        return kind(items)
    if kind is dict:
        made = dict(value)
        choice = chance.randint(0, 2)
        if choice == 0 and made:
            del made[chance.choice(list(made))]
        elif choice == 1 and made:
            key = chance.choice(list(made))
            made[key] = neighbour(made[key], chance, literals, depth + 1)
        else:
            made[chance.choice(["a", "b", "key", 1])] = chance.choice([0, 1, "x", None, [1]])
        return made
    if value is None:
        return chance.choice([0, 1, "", "abc", []])
    return value


def text_neighbour(value, chance, literals):
    plain = isinstance(value, str)
    own = [ast.literal_eval(text) for text in literals]
    own = [text for text in own if type(text) is type(value) and text]
    at = chance.randint(0, len(value))
    letters = ("abcXYZ019 _-.,/:;=+\n\t\"'()[]{}%#@\u00e9" if plain else b"abc\x00\xff01 ")
    letter = letters[(i := chance.randrange(len(letters))) : i + 1]
    choice = chance.randint(0, 9)
    if choice == 0 and value:
        return value[:at] + value[at + 1 :]
    if choice == 1:
        return value[:at] + letter + value[at:]
    if choice == 2 and own:
        return value[:at] + chance.choice(own) + value[at:]
    if choice == 3 and own:
        return chance.choice(own) + value
    if choice == 4 and own:
        return value + chance.choice(own)
    if choice == 5:
        return value.upper() if chance.random() < 0.5 else value.lower()
    if choice == 6:
        return value + value
    if choice == 7 and value:
        return value[: at] + value[at:][::-1]
    if choice == 8 and value:
        return value[:at] + letter + value[at + 1 :]
    return value[at:]
