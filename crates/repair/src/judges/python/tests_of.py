"""The tests of a Python project, found and run inside one interpreter, one check at a time.

Runs inside the sandbox only. A check is one assertion as it was reached: tests are told apart by the assertions in them,
so that a script of asserts says as much as a suite of small tests.
"""

import ast
import importlib
import importlib.machinery
import io
import os
import runpy
import sys
import types
import unittest

ROOT = os.path.abspath("project")
OVERRIDES = {}  # path of a file -> code object to use instead of what is on disk


class Stop(BaseException):
    """Ends a run at its first failed check."""


class OutOfTime(BaseException):
    """The time of one test is over."""


class Checks:
    """What the rewritten assertions call."""

    def __init__(self):
        self.seen = {}
        self.results = []
        self.stop_at_failure = False
        self.on_check = lambda name, passed, error: None

    def done(self, site, error):
        if isinstance(error, (Stop, SystemExit, KeyboardInterrupt)):
            raise error
        count = self.seen.get(site, 0)
        self.seen[site] = count + 1
        if count > 5000 and error is None:
            return
        name = "%s#%d" % (site, count)
        self.results.append((name, error is None))
        self.on_check(name, error is None, error)
        if error is not None and self.stop_at_failure:
            raise Stop()


CHECKS = Checks()


class Splitter(ast.NodeTransformer):
    """Wraps each assertion so that those after a failed one are still reached."""

    def __init__(self, path):
        self.path = os.path.relpath(path, ROOT)

    def wrapped(self, node):
        site = ast.Constant("%s:%d" % (self.path, node.lineno))
        error = ast.Name("_formicary_error", ast.Load())

        def told(value):
            call = ast.Call(ast.Name("_formicary_done", ast.Load()), [site, value], [])
            return ast.Expr(call)

        handler = ast.ExceptHandler(ast.Name("BaseException", ast.Load()), "_formicary_error", [told(error)])
        new = ast.Try(body=[node], handlers=[handler], orelse=[told(ast.Constant(None))], finalbody=[])
        return ast.fix_missing_locations(ast.copy_location(new, node))

    def visit_Assert(self, node):
        return self.wrapped(node)

    def visit_Expr(self, node):
        call = node.value
        if isinstance(call, ast.Call) and isinstance(call.func, ast.Attribute):
            receiver = call.func.value
            if isinstance(receiver, ast.Name) and receiver.id == "self" and call.func.attr.startswith("assert"):
                return self.wrapped(node)
        return node


class TestPartsOnly(Splitter):
    """The same for a file that holds program and tests: only what is a test is rewritten."""

    def visit_FunctionDef(self, node):
        return self.generic_visit(node) if is_test_name(node.name) else node

    def visit_ClassDef(self, node):
        return self.generic_visit(node) if node.name.startswith("Test") or node.name.endswith("Test") else node


def is_test_name(name):
    return name.startswith(("test", "check", "run_test")) or name.endswith("_test")


def compiled(path, text, whole):
    """The code of a test file, its assertions split."""
    tree = ast.parse(text, path)
    tree = (Splitter if whole else TestPartsOnly)(path).visit(tree)
    return compile(ast.fix_missing_locations(tree), path, "exec", dont_inherit=True)


class Loader(importlib.machinery.SourceFileLoader):
    """Gives the overriding code where there is one."""

    def get_code(self, fullname):
        code = OVERRIDES.get(os.path.abspath(self.path))
        return code if code is not None else super().get_code(fullname)


def install():
    """Makes imports of the project go through the overrides."""
    sys.dont_write_bytecode = True
    import builtins

    builtins._formicary_done = CHECKS.done
    # Modules of other kinds are found as they always are: much of the standard library is compiled.
    machinery = importlib.machinery
    hook = machinery.FileFinder.path_hook(
        (machinery.ExtensionFileLoader, machinery.EXTENSION_SUFFIXES),
        (Loader, machinery.SOURCE_SUFFIXES),
        (machinery.SourcelessFileLoader, machinery.BYTECODE_SUFFIXES),
    )
    sys.path_hooks.insert(0, hook)
    sys.path_importer_cache.clear()
    sys.path[:] = [entry for entry in sys.path if os.path.abspath(entry) != os.path.dirname(ROOT)]
    sys.path.insert(0, ROOT)
    if "pytest" not in sys.modules:
        try:
            import pytest  # noqa: F401
        except Exception:
            sys.modules["pytest"] = small_pytest()


def small_pytest():
    """What most tests use of pytest, for hosts that do not have it."""
    module = types.ModuleType("pytest")

    class Mark:
        def __getattr__(self, name):
            def mark(*args, **kwargs):
                def put(function):
                    if not hasattr(function, "pytestmark"):
                        function.pytestmark = []
                    function.pytestmark.append(types.SimpleNamespace(name=name, args=args, kwargs=kwargs))
                    return function

                if len(args) == 1 and callable(args[0]) and not kwargs:
                    function, args = args[0], ()
                    return put(function)
                return put

            return mark

    class Raises:
        def __init__(self, expected, match=None):
            self.expected, self.match, self.value = expected, match, None

        def __enter__(self):
            return self

        def __exit__(self, kind, value, _):
            assert kind is not None, "did not raise"
            self.value = value
            if not issubclass(kind, self.expected):
                return False
            if self.match is not None:
                import re

                assert re.search(self.match, str(value))
            return True

    def raises(expected, *args, **kwargs):
        if args:
            with Raises(expected) as info:
                args[0](*args[1:], **kwargs)
            return info
        return Raises(expected, **kwargs)

    class Approx:
        def __init__(self, expected, rel=None, abs=None, **_):
            self.expected, self.rel, self.abs = expected, rel, abs

        def __eq__(self, actual):
            def near(a, b):
                if isinstance(b, (list, tuple)):
                    return len(a) == len(b) and all(map(near, a, b))
                if isinstance(b, dict):
                    return a.keys() == b.keys() and all(near(a[k], b[k]) for k in b)
                if isinstance(b, (int, float, complex)) and not isinstance(b, bool):
                    margin = 1e-12 if self.abs is None else self.abs
                    rel = (1e-6 if self.abs is None else 0) if self.rel is None else self.rel
                    return a == b or abs(a - b) <= max(margin, rel * abs(b))
                return a == b

            abs = __builtins__["abs"] if isinstance(__builtins__, dict) else __builtins__.abs
            return near(actual, self.expected)

        __hash__ = None

    def param(*values, **_):
        return types.SimpleNamespace(values=values, marks=())

    def fixture(function=None, **_):
        def put(f):
            f.formicary_fixture = True
            return f

        return put(function) if callable(function) else put

    module.mark, module.raises, module.approx = Mark(), raises, Approx
    module.param, module.fixture = param, fixture
    module.main = lambda *args, **kwargs: 0
    module.skip = lambda *args, **kwargs: (_ for _ in ()).throw(unittest.SkipTest())
    module.fail = lambda reason="", **_: (_ for _ in ()).throw(AssertionError(reason))
    return module


def is_skip(error):
    """Whether a test ended because it asked not to be run."""
    return isinstance(error, unittest.SkipTest) or type(error).__name__ == "Skipped"


class Options:
    """What a conftest's `pytest_configure` may ask: its own options, with their defaults."""

    def __init__(self):
        self.values = {}
        self.option = types.SimpleNamespace()

    def addoption(self, *names, default=None, action=None, dest=None, **_):
        if action == "store_true" and default is None:
            default = False
        for name in list(names) + ([dest] if dest else []):
            self.values[name.lstrip("-").replace("-", "_")] = default

    def getgroup(self, *_, **__):
        return self

    def addini(self, *_, **__):
        pass

    def addinivalue_line(self, *_):
        pass

    def getoption(self, name, default=None, **_):
        return self.values.get(name.lstrip("-").replace("-", "_"), default)


def load_conftests(paths):
    """Runs the conftest files above these test files, the outermost first."""
    options, found = Options(), []
    for path in paths:
        folder = os.path.dirname(os.path.join(ROOT, path))
        chain = []
        while folder.startswith(ROOT):
            chain.append(os.path.join(folder, "conftest.py"))
            folder = os.path.dirname(folder)
        for candidate in reversed(chain):
            if os.path.isfile(candidate) and candidate not in found:
                found.append(candidate)
    fixtures = {}
    for path in found:
        sys.path.insert(0, os.path.dirname(path)) if os.path.dirname(path) not in sys.path else None
        scope = runpy.run_path(path, run_name="conftest")
        for hook, argument in (("pytest_addoption", options), ("pytest_configure", options)):
            if callable(scope.get(hook)):
                scope[hook](argument)
        fixtures.update(scope)
    return fixtures


def module_name(path):
    """How a test file is imported: by its name alone, or with its packages."""
    folder, parts = os.path.dirname(os.path.join(ROOT, path)), [os.path.splitext(os.path.basename(path))[0]]
    while folder != ROOT and os.path.isfile(os.path.join(folder, "__init__.py")):
        parts.insert(0, os.path.basename(folder))
        folder = os.path.dirname(folder)
    if folder not in sys.path:
        sys.path.insert(0, folder)
    return ".".join(parts)


def collect(paths):
    """Every test of these files as (name, function without arguments)."""
    shared = load_conftests(paths)
    items = []
    for path in paths:
        module = importlib.import_module(module_name(path))
        scope = dict(shared)
        scope.update(vars(module))
        for name, value in list(vars(module).items()):
            if isinstance(value, type) and issubclass(value, unittest.TestCase) and value.__module__ == module.__name__:
                for method in unittest.TestLoader().getTestCaseNames(value):
                    items.append(("%s::%s::%s" % (path, name, method), case_runner(value, method)))
            elif isinstance(value, type) and name.startswith("Test"):
                for method in vars(value):
                    if method.startswith("test"):
                        items += expand("%s::%s::%s" % (path, name, method), getattr(value, method), scope, value)
            elif isinstance(value, types.FunctionType) and name.startswith("test"):
                items += expand("%s::%s" % (path, name), value, scope, None)
    return items


class Brief(unittest.TestResult):
    """Results without their traces: those of a deep recursion take longer to write than the test took."""

    def _exc_info_to_string(self, err, test):
        return "%s: %s" % (err[0].__name__, str(err[1])[:400])


def case_runner(kind, method):
    def run():
        result = Brief()
        case = kind(method)
        case.run(result)
        for _, text in result.failures + result.errors:
            raise AssertionError(text)

    return run


def expand(name, function, scope, owner):
    """One item for each set of parameters of a test function."""
    rows = [{}]
    for mark in getattr(function, "pytestmark", []):
        if mark.name == "skip" or mark.name == "skipif" and mark.args and mark.args[0] is True:
            return []
        if mark.name != "parametrize":
            continue
        names, values = mark.args[0] if mark.args else mark.kwargs["argnames"], None
        values = mark.args[1] if len(mark.args) > 1 else mark.kwargs["argvalues"]
        if isinstance(names, str):
            names = [part.strip() for part in names.split(",") if part.strip()]
        new = []
        for row in rows:
            for value in values:
                if hasattr(value, "values") and hasattr(value, "marks"):
                    value = value.values if len(names) > 1 else value.values[0]
                pairs = zip(names, value) if len(names) > 1 else [(names[0], value)]
                new.append({**row, **dict(pairs)})
        rows = new

    def runner(row):
        def run():
            wanted = function.__code__.co_varnames[: function.__code__.co_argcount]
            held, closing = dict(row), []
            target = function
            if owner is not None:
                instance = owner()
                if hasattr(instance, "setup_method"):
                    instance.setup_method(*([None] if instance.setup_method.__code__.co_argcount > 1 else []))
                target, wanted = getattr(instance, function.__name__), wanted[1:]
            for need in wanted:
                if need not in held:
                    held[need] = fixture(need, scope, closing)
            target(**{key: held[key] for key in wanted})
            for generator in closing:
                next(generator, None)

        return run

    if len(rows) == 1:
        return [(name, runner(rows[0]))]
    return [("%s[%d]" % (name, index), runner(row)) for index, row in enumerate(rows)]


def fixture(name, scope, closing):
    made = scope.get(name)
    real = getattr(made, "_get_wrapped_function", None)
    function = real() if real else getattr(made, "__wrapped__", made)
    function = getattr(function, "__pytest_wrapped__", function)
    function = getattr(function, "obj", function)
    if not callable(function):
        raise LookupError("no fixture %s here" % name)
    needs = function.__code__.co_varnames[: function.__code__.co_argcount]
    value = function(**{need: fixture(need, scope, closing) for need in needs})
    if isinstance(value, types.GeneratorType):
        closing.append(value)
        return next(value)
    return value


def script(path, arguments, stdin=None, expected=None):
    """A program run as a script; it passes where it ends well and prints what is expected."""

    def run():
        full = os.path.join(ROOT, path)
        sys.argv = [path] + list(arguments)
        folder = os.path.dirname(full)
        if folder not in sys.path:
            sys.path.insert(0, folder)
        main = types.ModuleType("__main__")
        main.__file__, main.__builtins__ = full, __builtins__
        sys.modules["__main__"] = main
        old_out, old_in = sys.stdout, sys.stdin
        if expected is not None:
            sys.stdout = io.TextIOWrapper(io.BytesIO(), "utf-8", write_through=True)
        if stdin is not None:
            sys.stdin = io.TextIOWrapper(io.BytesIO(stdin.encode()), "utf-8")
        try:
            code = OVERRIDES.get(full)
            if code is None:
                with open(full) as file:
                    code = compile(file.read(), full, "exec", dont_inherit=True)
            exec(code, main.__dict__)
        except SystemExit as exit:
            if exit.code not in (None, 0):
                raise AssertionError("exit code %r" % (exit.code,))
        finally:
            out, sys.stdout, sys.stdin = sys.stdout, old_out, old_in
        if expected is not None:
            said = out.buffer.getvalue().decode("utf-8", "replace")
            if [line.rstrip() for line in said.rstrip().split("\n")] != [
                line.rstrip() for line in expected.rstrip().split("\n")
            ]:
                raise AssertionError("other output than expected")

    return run


def items_of(plan):
    """The tests that a plan asks for."""
    if plan["kind"] == "collect":
        return collect(plan["modules"])
    if plan.get("cases"):
        path, arguments = plan["argv"][0], plan["argv"][1:]
        return [
            ("case %d" % index, script(path, arguments, case["stdin"], case["expected"]))
            for index, case in enumerate(plan["cases"])
        ]
    return [("script", script(plan["argv"][0], plan["argv"][1:]))]


def main(paths):
    """The tests of these files, run as pytest would; tells which fail."""
    global ROOT
    ROOT = os.getcwd()
    install()
    failed = 0
    items = collect(paths)
    for name, run in items:
        try:
            run()
        except BaseException as error:
            if is_skip(error):
                continue
            failed += 1
            import traceback

            traceback.print_exception(type(error), error, error.__traceback__)
            print("FAILED %s: %s: %s" % (name, type(error).__name__, error))
    print("%d tests, %d failed" % (len(items), failed))
    return 1 if failed or not items else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
