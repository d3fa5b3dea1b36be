"""Rewrites a file of the program so that its expressions report their values to the recorder.

Only the tree changes: names, scopes, positions and the order of evaluation stay, so that a traceback of the rewritten
program has the places of the original one. No local variable is added.
"""
import ast

RECORD, NESTED, ENTER, ITEM = "_formicary_r", "_formicary_c", "_formicary_e", "_formicary_i"
# Methods that change the object that they are called on.
MUTATORS = frozenset(("append", "appendleft", "insert", "add", "extend", "update", "setdefault", "pop", "popitem",
                      "popleft", "remove", "discard", "clear", "put"))
RECORDED = (ast.Call, ast.Attribute, ast.Subscript, ast.BinOp, ast.UnaryOp, ast.IfExp, ast.List, ast.Dict, ast.Set,
            ast.Tuple, ast.ListComp, ast.SetComp, ast.DictComp, ast.Await, ast.Yield)
FUNCTIONS = (ast.FunctionDef, ast.AsyncFunctionDef, ast.Lambda)
# Since Python 3.12 a list comprehension has no frame of its own.
OWN_FRAMES = sys.version_info < (3, 12)


class Scope:
    """What binds names: a module, a function, a class, or a comprehension."""

    def __init__(self, kind, node, parent, file):
        self.kind, self.node, self.parent, self.file = kind, node, parent, file
        self.names, self.globals, self.nonlocals = {}, set(), set()
        self.enter = None
        self.returns = []

    def holder(self):
        """The scope whose frame the values are recorded for."""
        scope = self
        while scope.kind == "comprehension":
            scope = scope.parent
        return scope

    def module(self):
        scope = self
        while scope.parent is not None:
            scope = scope.parent
        return scope


class Site:
    """A place in the program that reports values."""
    __slots__ = ("kind", "node", "scope", "file", "info")

    def __init__(self, kind, node, scope, info=None):
        self.kind, self.node, self.scope, self.file, self.info = kind, node, scope, scope.file, info


class Binding:
    """A place where a name gets its value; `path` leads from the recorded value to the part that is bound."""
    __slots__ = ("kind", "node", "site", "path", "line")

    def __init__(self, kind, node, site, path, line):
        self.kind, self.node, self.site, self.path, self.line = kind, node, site, path, line


class File:
    """A source file with its pristine tree."""

    def __init__(self, path, shown, text):
        self.path, self.shown, self.text = path, shown, text
        self.tree = ast.parse(text)
        self.places = {}
        self.module = Scope("module", self.tree, None, self)
        self.tree.scope = self.module
        for node in ast.walk(self.tree):
            # A statement that is an expression has the place of the expression.
            if hasattr(node, "lineno") and not isinstance(node, ast.Expr):
                self.places.setdefault((node.lineno, node.end_lineno, node.col_offset, node.end_col_offset), node)
            for child in ast.iter_child_nodes(node):
                child.up = node

    def at(self, place):
        return self.places.get(tuple(place))

    def written(self, node):
        """The text of a node as its author wrote it, in one line."""
        try:
            text = ast.get_source_segment(self.text, node)
        except Exception:
            text = None
        if text is None:
            text = ast.unparse(node)
        text = " ".join(text.split())
        return text if len(text) <= 120 else text[:117] + "..."


class Rewriter:
    def __init__(self, file, sites):
        self.file, self.sites = file, sites
        self.scope = file.module
        self.depth = 0

    def rewritten(self):
        work = ast.parse(self.file.text)
        for pristine, copied in zip(ast.walk(self.file.tree), ast.walk(work)):
            copied.o = pristine
        work.body = self.body(work.body)
        return ast.fix_missing_locations(work)

    # Expressions

    def site(self, kind, node, info=None):
        site = Site(kind, node, self.scope, info)
        self.sites.append(site)
        return len(self.sites) - 1

    def report(self, number, node, name=None):
        arguments = [ast.copy_location(ast.Constant(number), node), node]
        if name is None and self.depth:
            arguments.append(ast.copy_location(ast.Constant(self.depth), node))
        name = name or (NESTED if self.depth else RECORD)
        call = ast.Call(ast.copy_location(ast.Name(name, ast.Load()), node), arguments, [])
        return ast.copy_location(call, node)

    def wrap(self, node, kind="value", info=None):
        number = self.site(kind, node.o, info)
        node.o.site = number
        return self.report(number, node)

    def many(self, nodes):
        return [self.expr(node) for node in nodes]

    def expr(self, node, force=False, kind="value", info=None):
        if node is None:
            return None
        node.o.scope = self.scope
        inside = getattr(self, type(node).__name__.lower(), None)
        if inside is not None:
            inside(node)
        elif not isinstance(node, (ast.Name, ast.Constant)):
            self.children(node)
        if isinstance(node, (ast.Starred, ast.Slice)) or hasattr(node, "ctx") and not isinstance(node.ctx, ast.Load):
            return node
        return self.wrap(node, kind, info) if force or isinstance(node, RECORDED) else node

    def children(self, node):
        for field, value in ast.iter_fields(node):
            if isinstance(value, ast.expr):
                setattr(node, field, self.expr(value))
            elif isinstance(value, list):
                setattr(node, field, [self.expr(v) if isinstance(v, ast.expr) else v for v in value])

    def call(self, node):
        if isinstance(node.func, ast.Attribute):
            node.func.o.scope = self.scope
            mutates = node.func.attr in MUTATORS
            node.func.value = self.expr(node.func.value, mutates, "mutation" if mutates else "value", node.o)
        else:
            node.func = self.expr(node.func)
        node.args = self.many(node.args)
        for keyword in node.keywords:
            keyword.o.scope = self.scope
            keyword.value = self.expr(keyword.value)

    def joinedstr(self, node):
        for part in node.values:
            if isinstance(part, ast.FormattedValue):
                part.value = self.expr(part.value)
                if part.format_spec is not None:
                    self.joinedstr(part.format_spec)

    def yield_(self, node):
        node.value = self.expr(node.value, True, "yield")

    def templatestr(self, node):
        pass

    def namedexpr(self, node):
        node.value = self.expr(node.value, True)
        holder = self.scope.holder()
        self.bind_in(holder, node.target.id, Binding("assigned", node.o.value, node.o.value.site, (), node.lineno))

    def lambda_(self, node):
        outer = self.enter("function", node.o)
        self.parameters(node.args)
        body = self.expr(node.body, True, "return")
        self.scope.returns.append(node.o.body.site)
        node.body = ast.copy_location(ast.BoolOp(ast.Or(), [self.entry(node), body]), node)
        self.leave(outer)

    def comprehension(self, node, kind):
        first = node.generators[0]
        first.iter = self.expr(first.iter, True)
        nests = OWN_FRAMES and kind == "comprehension"
        scope, depth = self.scope, self.depth
        self.scope = Scope(kind, node.o, scope, self.file)
        self.depth = depth + 1 if nests else 0 if kind == "function" else depth
        for index, loop in enumerate(node.generators):
            if index:
                loop.iter = self.expr(loop.iter, True)
            loop.o.scope = self.scope
            checks = [self.report(number, name, ITEM if not self.depth else None)
                      for number, name in self.targets(loop.target, "item", loop.o.iter)]
            # A record is true by being in a list: `if [record]`.
            checks = [ast.copy_location(ast.List([check], ast.Load()), loop.target) for check in checks]
            loop.ifs = checks + self.many(loop.ifs)
        if isinstance(node, ast.DictComp):
            node.key, node.value = self.expr(node.key, True), self.expr(node.value, True)
        else:
            node.elt = self.expr(node.elt, True)
        self.scope, self.depth = scope, depth

    def listcomp(self, node):
        self.comprehension(node, "comprehension")

    setcomp = dictcomp = listcomp

    def generatorexp(self, node):
        self.comprehension(node, "function")

    # Names

    def bind_in(self, scope, name, binding):
        if name in scope.globals:
            scope = scope.module()
        elif name in scope.nonlocals and scope.parent is not None:
            owner = scope.parent
            while owner.parent is not None and name not in owner.names:
                owner = owner.parent
            scope = owner
        scope.names.setdefault(name, []).append(binding)

    def static(self, name, kind, node):
        self.bind_in(self.scope, name, Binding(kind, node, None, (), node.lineno))

    def targets(self, target, kind, value):
        """Binds the names of a target that a loop or a `with` sets; returns (site, name) pairs to be recorded."""
        found = []
        for name, path in names_of(target):
            number = self.site("bind", name.o)
            self.bind_in(self.scope, name.id, Binding(kind, value, number, path, name.lineno))
            load = ast.copy_location(ast.Name(name.id, ast.Load()), name)
            load.o = name.o
            found.append((number, load))
        return found

    def enter(self, kind, node):
        outer = (self.scope, self.depth)
        self.scope, self.depth = Scope(kind, node, self.scope, self.file), 0
        node.scope_of = self.scope
        return outer

    def leave(self, outer):
        self.scope, self.depth = outer

    def parameters(self, arguments):
        every = arguments.posonlyargs + arguments.args + arguments.kwonlyargs
        every += [extra for extra in (arguments.vararg, arguments.kwarg) if extra is not None]
        self.scope.parameters = [parameter.arg for parameter in every]
        for index, parameter in enumerate(every):
            binding = Binding("parameter", parameter.o, None, (index,), parameter.lineno)
            self.bind_in(self.scope, parameter.arg, binding)

    def entry(self, node):
        """The call that records the beginning of a function with its parameters."""
        self.scope.enter = self.site("enter", node.o)
        names = [ast.Name(name, ast.Load()) for name in self.scope.parameters]
        call = ast.Call(ast.Name(ENTER, ast.Load()),
                        [ast.Constant(self.scope.enter), ast.Tuple(names, ast.Load())], [])
        return ast.fix_missing_locations(ast.copy_location(call, node))

    # Statements

    def body(self, statements, before=()):
        result = []
        for statement in statements:
            result.extend(self.statement(statement))
        result[:0] = before
        return result

    def statement(self, node):
        node.o.scope = self.scope
        handler = getattr(self, "do_" + type(node).__name__.lower(), None)
        if handler is not None:
            return handler(node) or [node]
        for field, value in ast.iter_fields(node):
            if isinstance(value, ast.expr):
                setattr(node, field, self.expr(value))
            elif isinstance(value, list) and value and isinstance(value[0], ast.stmt):
                setattr(node, field, self.body(value))
            elif isinstance(value, list) and field != "type_params":
                setattr(node, field, [self.expr(v) if isinstance(v, ast.expr) else v for v in value])
        return [node]

    def recorded(self, pairs):
        return [ast.copy_location(ast.Expr(self.report(number, name)), name) for number, name in pairs]

    def do_expr(self, node):
        if not isinstance(node.value, ast.Constant):
            node.value = self.expr(node.value)

    def do_functiondef(self, node):
        self.static(node.name, "defined", node.o)
        outer = self.enter("function", node.o)
        self.parameters(node.args)
        doc = node.body[:1] if ast.get_docstring(node, clean=False) is not None else []
        entry = ast.copy_location(ast.Expr(self.entry(node)), (doc or node.body)[0])
        body = self.body(node.body[len(doc):])
        if isinstance(node, ast.FunctionDef) and not isinstance(node.body[-1], (ast.Return, ast.Raise)):
            last = node.body[-1]
            number = self.site("end", node.o)
            self.scope.returns.append(number)
            nothing = ast.copy_location(ast.Constant(None), last)
            nothing.lineno = nothing.end_lineno = last.end_lineno
            body.append(ast.copy_location(ast.Return(self.report(number, nothing)), nothing))
        self.leave(outer)
        node.body = doc + [entry] + body

    do_asyncfunctiondef = do_functiondef

    def do_classdef(self, node):
        self.static(node.name, "defined", node.o)
        outer = self.enter("class", node.o)
        node.body = self.body(node.body)
        self.leave(outer)

    def do_return(self, node):
        if node.value is not None:
            node.value = self.expr(node.value, True, "return")
            self.scope.returns.append(node.o.value.site)
        elif isinstance(self.scope.node, ast.FunctionDef):
            number = self.site("end", node.o)
            self.scope.returns.append(number)
            node.value = self.report(number, ast.copy_location(ast.Constant(None), node))

    def do_assign(self, node):
        node.value = self.expr(node.value, True)
        for target in node.targets:
            self.assigned(target, node.o.value)

    def do_annassign(self, node):
        if node.value is not None:
            node.value = self.expr(node.value, True)
            self.assigned(node.target, node.o.value)

    def assigned(self, target, value, path=()):
        target.o.scope = self.scope
        if isinstance(target, ast.Name):
            self.bind_in(self.scope, target.id, Binding("assigned", value, value.site, path, target.lineno))
        elif isinstance(target, (ast.Tuple, ast.List)):
            for index, part in enumerate(target.elts):
                starred = isinstance(part, ast.Starred)
                self.assigned(part.value if starred else part, value, path + (None if starred else index,))
        else:
            self.stored(target, value)

    def stored(self, target, value):
        """An attribute or an item that is set: the object and the key are recorded."""
        target.o.scope = self.scope
        if isinstance(target, ast.Attribute):
            target.value = self.expr(target.value, True, "stored", (target.o, value))
        elif isinstance(target, ast.Subscript):
            target.value = self.expr(target.value, True, "stored", (target.o, value))
            target.slice = self.expr(target.slice, not isinstance(target.slice, (ast.Slice, ast.Tuple)))

    def do_augassign(self, node):
        node.value = self.expr(node.value, True)
        target = node.target
        target.o.scope = self.scope
        if not isinstance(target, ast.Name):
            self.stored(target, node.o)
            return [node]
        number = self.site("bind", target.o)
        self.bind_in(self.scope, target.id, Binding("changed", node.o, number, (), node.lineno))
        load = ast.copy_location(ast.Name(target.id, ast.Load()), node)
        return [node] + self.recorded([(number, load)])

    def do_for(self, node):
        node.iter = self.expr(node.iter, True)
        pairs = self.targets(node.target, "item", node.o.iter)
        node.body = self.body(node.body, self.recorded(pairs))
        node.orelse = self.body(node.orelse)

    do_asyncfor = do_for

    def do_with(self, node):
        pairs = []
        for item in node.items:
            item.context_expr = self.expr(item.context_expr, True)
            if item.optional_vars is not None:
                pairs += self.targets(item.optional_vars, "opened", item.o.context_expr)
        node.body = self.body(node.body, self.recorded(pairs))

    do_asyncwith = do_with

    def do_try(self, node):
        node.body = self.body(node.body)
        for handler in node.handlers:
            handler.o.scope = self.scope
            if handler.name:
                self.static(handler.name, "caught", handler.o)
            handler.body = self.body(handler.body)
        node.orelse, node.finalbody = self.body(node.orelse), self.body(node.finalbody)

    do_trystar = do_try

    def do_match(self, node):
        node.subject = self.expr(node.subject, True)
        for case in node.cases:
            case.guard = self.expr(case.guard)
            case.body = self.body(case.body)

    def do_assert(self, node):
        test = node.test
        test.o.scope = self.scope
        if isinstance(test, ast.Compare):
            test.left = self.expr(test.left, True)
            test.comparators = [self.expr(side, True) for side in test.comparators]
        else:
            node.test = self.expr(test)

    def do_delete(self, node):
        for target in node.targets:
            self.stored(target, None)

    def do_import(self, node):
        for alias in node.names:
            self.static(alias.asname or alias.name.split(".")[0], "imported", node.o)

    do_importfrom = do_import

    def do_global(self, node):
        self.scope.globals.update(node.names)

    def do_nonlocal(self, node):
        self.scope.nonlocals.update(node.names)


# Words of the language cannot name a method in its definition.
setattr(Rewriter, "lambda", Rewriter.lambda_)
setattr(Rewriter, "yield", Rewriter.yield_)


def names_of(target, path=()):
    if isinstance(target, ast.Name):
        yield target, path
    elif isinstance(target, ast.Starred):
        yield from names_of(target.value, path)
    elif isinstance(target, (ast.Tuple, ast.List)):
        for index, part in enumerate(target.elts):
            yield from names_of(part, path + (None if isinstance(part, ast.Starred) else index,))
