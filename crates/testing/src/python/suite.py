"""The file of tests: written for people, and run in fresh interpreters until only what always passes is left."""

import builtins
import contextlib
import io
import os
import subprocess
import sys

import observe

STANDARD = ["asyncio", "collections", "datetime", "decimal", "enum", "fractions", "io", "itertools", "math", "pathlib", "re", "uuid"]
SEEDS = ("0", "1", "4242")
HERE = os.path.dirname(os.path.abspath(__file__))
ROOT = os.path.dirname(HERE)

CHECK = '''
import contextlib, importlib.util, io, re, sys, types
sys.path[:0] = [{root!r}, {source!r}]
try:
    if not {real}:
        raise ImportError
    import pytest
except ImportError:
    class Raises:
        def __init__(self, kind, match=None):
            self.kind, self.match = kind, match
        def __enter__(self):
            return self
        def __exit__(self, kind, error, trace):
            assert kind is not None and issubclass(kind, self.kind)
            assert self.match is None or re.search(self.match, str(error))
            self.value = error
            return True
    class approx:
        def __init__(self, value):
            self.value = value
        def __eq__(self, other):
            one = self.value if isinstance(self.value, (list, tuple)) else [self.value]
            two = other if isinstance(other, (list, tuple)) else [other]
            return len(one) == len(two) and all(abs(a - b) <= max(1e-12, 1e-6 * abs(a)) for a, b in zip(one, two))
    pytest = types.SimpleNamespace(raises=Raises, approx=approx, mark=types.SimpleNamespace(parametrize=lambda name, values: lambda f: setattr(f, "values", values) or f))
    sys.modules["pytest"] = pytest
specification = importlib.util.spec_from_file_location("generated", {path!r})
module = importlib.util.module_from_spec(specification)
specification.loader.exec_module(module)
class Capsys:
    def readouterr(self):
        return types.SimpleNamespace(out=sys.stdout.getvalue())
out = sys.__stdout__
for name, test in list(vars(module).items()):
    if not name.startswith("test"):
        continue
    try:
        marks = [mark for mark in getattr(test, "pytestmark", []) if mark.name == "parametrize"]
        values = marks[0].args[1] if marks else getattr(test, "values", None)
        with contextlib.redirect_stdout(io.StringIO()):
            if values is not None:
                for value in values:
                    test(value)
            elif "capsys" in test.__code__.co_varnames[: test.__code__.co_argcount]:
                test(Capsys())
            else:
                test()
    except BaseException as error:
        continue
    print(name, file=out, flush=True)
'''


def passing(path, source_root, seed, real=True):
    """The tests of a file that pass in a fresh interpreter with these hashes; what `real` brings is the slow import of pytest."""
    script = CHECK.format(root=ROOT, source=os.path.join(ROOT, source_root), path=path, real=real)
    environment = dict(os.environ, PYTHONHASHSEED=seed)
    try:
        ran = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, timeout=60, env=environment)
        return set(ran.stdout.split())
    except subprocess.TimeoutExpired as error:
        return set((error.stdout or b"").decode().split())


def loaded(path):
    """The tests of a file in this process, by name, each to be called without anything."""
    space = {"__name__": "loader"}
    exec(CHECK.split("out = sys.__stdout__")[0].format(root=ROOT, source=ROOT, path=path, real=True), space)
    module, capsys = space["module"], space["Capsys"]
    return {name: bound(test, capsys) for name, test in vars(module).items() if name.startswith("test")}


def bound(test, capsys):
    def run():
        marks = [mark for mark in getattr(test, "pytestmark", []) if mark.name == "parametrize"]
        values = marks[0].args[1] if marks else getattr(test, "values", None)
        with contextlib.redirect_stdout(io.StringIO()):
            if values is not None:
                for value in values:
                    test(value)
            elif test.__code__.co_argcount:
                test(capsys())
            else:
                test()

    return run


class Suite:
    def __init__(self, generator, final, laws, style):
        self.generator, self.style = generator, style
        self.tests, self.laws, self.needs = [], [], set()
        taken = set()

        def free(name):
            number, wanted = 1, name
            while name in taken:
                number += 1
                name = "%s_%d" % (wanted, number)
            taken.add(name)
            return name

        for target, kept in final:
            for call, seen, _, _ in kept:
                needs = set()
                lines = observe.written(target, call, seen, needs)
                outcome = seen["outcome"]
                name = "test_%s" % target.label.strip("_")
                if outcome[0] == "raises":
                    name += "_raises_%s" % outcome[1].lower()
                prints = any("capsys" in line for line in lines)
                self.tests.append((free(name), lines, needs, prints))
        for name, law, texts in laws:
            self.laws.append((free("test_%s" % name), law, texts))

    def imports(self):
        used = set()
        for _, lines, needs, _ in self.tests:
            used |= observe.names_in(needs) | observe.names_in(["\n".join(lines)])
        for _, law, texts in self.laws:
            used |= observe.names_in([law] + texts) | {"pytest"}
        module = self.generator.module
        standard = sorted(name for name in used if name in STANDARD)
        own = sorted(name for name in used if hasattr(module, name) and not hasattr(builtins, name) and name not in standard)
        lines = ["import %s" % name for name in standard]
        if "pytest" in used:
            lines += ([""] if lines else []) + ["import pytest"]
        if own:
            lines += ([""] if lines else []) + imported(module.__name__, own)
        return lines

    def text(self):
        parts = ['"""Tests of %s: what it does today. Written by formicary tests generate."""' % self.generator.module.__name__, "", *self.imports()]
        for name, lines, _, prints in self.tests:
            parts += ["", "", "def %s(%s):" % (name, "capsys" if prints else "")] + ["    " + line for line in lines]
        for name, law, texts in self.laws:
            parts += ["", "", '@pytest.mark.parametrize("value", [%s])' % ", ".join(texts), "def %s(value):" % name, "    assert %s" % law]
        text = "\n".join(parts) + "\n"
        return as_unittest(text) if self.style == "unittest" else text

    def verify(self):
        """Drops what does not pass three times, each in a fresh interpreter with other hashes."""
        before = len(self.tests) + len(self.laws)
        path = os.path.join(HERE, "generated_check.py")
        for seed in SEEDS:
            style, self.style = self.style, "pytest"
            with open(path, "w") as file:
                file.write(self.text())
            self.style = style
            passed = passing(path, self.generator.plan["source_root"], seed, seed == SEEDS[-1])
            self.tests = [test for test in self.tests if test[0] in passed]
            self.laws = [law for law in self.laws if law[0] in passed]
        return before - len(self.tests) - len(self.laws)

    def count(self):
        return len(self.tests) + len(self.laws)

    def properties_count(self):
        return len(self.laws)


def imported(module, names):
    line = "from %s import %s" % (module, ", ".join(names))
    if len(line) <= 110:
        return [line]
    return ["from %s import (" % module] + ["    %s," % name for name in names] + [")"]


def as_unittest(text):
    """The same as a class of unittest."""
    import ast

    tree = ast.parse(text)
    head, body = [], []
    for node in tree.body:
        if isinstance(node, ast.FunctionDef):
            body.append(node)
        elif not (isinstance(node, ast.Import) and node.names[0].name == "pytest"):
            head.append(ast.unparse(node))
    head[:1] = ['"""%s"""' % ast.get_docstring(tree), "", "import unittest"]
    uses = "capsys" in text
    lines = head + (["import contextlib", "import io"] if uses else []) + ["", "", "class GeneratedTests(unittest.TestCase):"]
    for node in body:
        lines += ["", "    def %s(self):" % node.name]
        if node.decorator_list:
            lines += ["        for value in %s:" % ast.unparse(node.decorator_list[0].args[1]), "            with self.subTest(value=value):"]
            lines += ["                %s" % unittest_line(part) for part in node.body]
        elif node.args.args:
            lines += ["        with contextlib.redirect_stdout(io.StringIO()) as out:"]
            lines += ["            %s" % line for part in node.body for line in unittest_line(part).replace("capsys.readouterr().out", "out.getvalue()").splitlines()]
        else:
            lines += ["        %s" % line for part in node.body for line in unittest_line(part).splitlines()]
    lines += ["", "", 'if __name__ == "__main__":', "    unittest.main()"]
    return "\n".join(lines) + "\n"


def unittest_line(node):
    import ast

    text = ast.unparse(node)
    if isinstance(node, ast.Assert) and ast.unparse(node.test).startswith("str(error.value) == "):
        return "self.assertEqual(str(error.exception), %s)" % ast.unparse(node.test.comparators[0])
    if isinstance(node, ast.With):
        call = node.items[0].context_expr
        matched = [keyword.value for keyword in call.keywords]
        how = "assertRaisesRegex(%s, %s)" % (ast.unparse(call.args[0]), ast.unparse(matched[0])) if matched else "assertRaises(%s)" % ast.unparse(call.args[0])
        how += " as error" if node.items[0].optional_vars else ""
        return "with self.%s:\n    %s" % (how, "\n    ".join(ast.unparse(part) for part in node.body))
    if isinstance(node, ast.Assert):
        test = node.test
        if isinstance(test, ast.Compare) and len(test.ops) == 1:
            left, right = ast.unparse(test.left), test.comparators[0]
            if isinstance(right, ast.Call) and ast.unparse(right.func) == "pytest.approx":
                wanted = right.args[0]
                if isinstance(wanted, (ast.List, ast.Tuple)):
                    return "for got, wanted in zip(%s, %s, strict=True):\n    self.assertAlmostEqual(got, wanted)" % (left, ast.unparse(wanted))
                return "self.assertAlmostEqual(%s, %s)" % (left, ast.unparse(wanted))
            if isinstance(test.ops[0], ast.Eq):
                return "self.assertEqual(%s, %s)" % (left, ast.unparse(right))
            if isinstance(test.ops[0], ast.Is):
                return "self.assertIs(%s, %s)" % (left, ast.unparse(right))
        return "self.assertTrue(%s)" % ast.unparse(test)
    return text
