"""Chooses what of a failed statement is to be explained: the part that carries the failure by its kind."""
import ast

CHAINED = ("ZeroDivisionError", "TypeError", "AttributeError", "KeyError", "IndexError", "ValueError", "AssertionError",
           "NameError", "UnboundLocalError")
MOST_STEPS = 6
NUMBERS = {id(int), id(float), id(bool), id(complex)}


def safe(value):
    try:
        return cut(shown(value), 200)
    except BaseException:
        return "<cannot be shown>"


def span(node):
    return (node.lineno, node.end_lineno, node.col_offset, node.end_col_offset)


def place_of(code, at):
    """The place of an instruction: Python before 3.11 does not know it."""
    try:
        return list(code.co_positions())[at // 2]
    except (AttributeError, IndexError):
        return None


def last_name(function):
    return function.id if isinstance(function, ast.Name) else getattr(function, "attr", "")


def followed_argument(node):
    """The part of a library call that its result depends on most: the object of a method, else the first argument."""
    function = node.func
    if isinstance(function, ast.Attribute):
        owner = function.value
        while isinstance(owner, ast.Attribute):
            owner = owner.value
        module = isinstance(owner, ast.Name) and is_module(owner)
        if not module:
            return function.value
    arguments = list(node.args) + [keyword.value for keyword in node.keywords]
    arguments = [argument.value if isinstance(argument, ast.Starred) else argument for argument in arguments]
    # A constant, such as the pattern of a search, is rarely what is wrong.
    varying = [argument for argument in arguments if not isinstance(argument, (ast.Constant, ast.Lambda))]
    return (varying or arguments or [None])[0]


def mediator(call, scope):
    """Where a function of the program is called by a library, as by `map`: what may hold the values it is called with."""
    if not isinstance(call, ast.Call):
        return None
    function = scope.node
    name = getattr(function, "name", "")
    given = list(call.args) + [keyword.value for keyword in call.keywords]
    handed = any(part is function or name and last_name(part) == name for part in given)
    builtin = isinstance(call.func, ast.Name) and not is_bound(call.func)
    if not handed and not builtin:
        return None
    return [part for part in ast.walk(call) if isinstance(part, (ast.Name, ast.Attribute, ast.Call, ast.List, ast.Tuple))]


def is_bound(name):
    scope = getattr(name, "scope", None)
    while scope is not None:
        if name.id in scope.names:
            return True
        scope = scope.parent
    return False


def is_module(name):
    scope = getattr(name, "scope", None)
    while scope is not None:
        bindings = scope.names.get(name.id)
        if bindings:
            return all(binding.kind in ("imported", "defined") for binding in bindings)
        scope = scope.parent
    return False


def argument_of(call, scope, binding, path):
    """The argument that became a parameter, the part of it where it was spread, and the rest of the path."""
    function, index = scope.node, binding.path[0]
    arguments = function.args
    name = scope.parameters[index]
    positional = [parameter.arg for parameter in arguments.posonlyargs + arguments.args]
    method = scope.parent is not None and scope.parent.kind == "class" and not any(
        last_name(decorator) == "staticmethod" for decorator in getattr(function, "decorator_list", ()))
    if isinstance(call, ast.BinOp):
        return (call.left if index == 0 else call.right), (), path
    if isinstance(call, ast.Subscript):
        return (call.value if index == 0 else call.slice), (), path
    if not isinstance(call, ast.Call):
        return None, (), path
    if arguments.kwarg is not None and name == arguments.kwarg.arg and path:
        name, path = path[0].key, path[1:]
    for keyword in call.keywords:
        if keyword.arg == name:
            return keyword.value, (), path
    if arguments.vararg is not None and name == arguments.vararg.arg and path and type(path[0].key) is int:
        at, path = len(positional) + path[0].key, path[1:]
    elif name in positional:
        at = positional.index(name)
    else:
        return None, (), path
    of_class = any(last_name(decorator) == "classmethod" for decorator in getattr(function, "decorator_list", ()))
    if method and (of_class or not explicit_self(call)):
        if at == 0:
            return (call.func.value if isinstance(call.func, ast.Attribute) else None), (), path
        at -= 1
    for position, argument in enumerate(call.args):
        if isinstance(argument, ast.Starred):
            return argument.value, (Part("key", at - position),), path
        if position == at:
            return argument, (), path
    for keyword in call.keywords:
        if keyword.arg is None:
            return keyword.value, (Part("key", name),), path
    return None, (), path


def explicit_self(call):
    """`Base.method(self, …)`: the object is an argument as others."""
    owner = call.func.value if isinstance(call.func, ast.Attribute) else None
    return isinstance(owner, ast.Name) and is_module(owner)


def default_of(function, name):
    arguments = function.args
    positional = arguments.posonlyargs + arguments.args
    for parameter, default in zip(positional[len(positional) - len(arguments.defaults):], arguments.defaults):
        if parameter.arg == name:
            return default
    for parameter, default in zip(arguments.kwonlyargs, arguments.kw_defaults):
        if parameter.arg == name:
            return default
    return None


def field_of(call, name, value):
    """The argument that became a field of a class whose `__init__` is not written: dataclasses, named tuples."""
    for keyword in call.keywords:
        if keyword.arg == name:
            return keyword.value
    kind = type(value)
    fields = SPACE(kind).get("__dataclass_fields__")
    fields = fields or SPACE(kind).get("_fields")
    names = list(fields) if type(fields) in (dict, tuple) else []
    if name in names and names.index(name) < len(call.args):
        found = call.args[names.index(name)]
        return None if isinstance(found, ast.Starred) else found
    return None


class Failure(Explainer):
    """Explains an exception."""

    def __init__(self, kind, message, frame, at):
        super().__init__()
        self.kind, self.message = kind, message
        self.file = FILES[frame.f_code.co_filename]
        self.node = self.file.at(place_of(frame.f_code, at) or ())
        live = [frame.f_locals]
        while frame.f_code.co_name in NESTS and frame.f_back is not None:
            frame = frame.f_back
            live.append(frame.f_locals)
        live.append(frame.f_globals)
        self.context = Context(id(frame), -1, NOW, live)
        scope = getattr(self.node, "scope", None)
        if scope is not None and scope.holder().enter is not None:
            entry = self.last(scope.holder().enter, self.context)
            self.context.start = entry[0] if entry is not None else -1

    def now(self, node):
        return self.value(node, self.context)

    def explain(self):
        node = self.node
        if node is None or not hasattr(node, "scope"):
            return []
        if isinstance(node, ast.Expr):
            node = node.value
        if self.kind == "AssertionError" or isinstance(getattr(node, "up", None), ast.Assert):
            self.asserted(node)
        elif isinstance(node, ast.Raise):
            self.raised(node)
        elif self.kind in ("NameError", "UnboundLocalError"):
            self.unbound(node)
        else:
            culprits = self.culprits(node)
            if culprits:
                self.chains([lambda culprit=culprit: self.start(*culprit) for culprit in culprits])
        return self.steps

    def start(self, role, node, text=None):
        value = self.now(node)
        self.step(role, node, value, text)
        if role == "collection" and value is not NOTHING and not simple(value):
            key = self.now(self.node.slice) if isinstance(self.node, ast.Subscript) else NOTHING
            if isinstance(self.node, ast.Call) and self.node.args:
                key = self.now(self.node.args[0])
            if self.removed(value, NOTHING if self.kind == "IndexError" else key, self.context):
                return
        if not isinstance(node, ast.Constant):
            self.follow(node, self.context)

    def chains(self, makers):
        """One chain after the other, each shortened so that all are to be seen within the bound."""
        chains = []
        for make in makers[:2]:
            self.steps = []
            make()
            chains.append(self.steps)
        if len(chains) == 2:
            second = min(len(chains[1]), max(2, MOST_STEPS - len(chains[0])))
            chains = [shortened(chains[0], MOST_STEPS - second), shortened(chains[1], second)]
        self.steps = [step for chain in chains for step in chain]

    def side(self, role, side):
        self.step(role, side, self.now(side))
        if not isinstance(side, ast.Constant):
            self.follow(side, self.context)

    def culprits(self, node):
        """(role, node, text) of what is to be explained, the most important first."""
        if isinstance(node, (ast.For, ast.AsyncFor)):
            return [("failing", node.iter, None)]
        if isinstance(node, (ast.Tuple, ast.List)) and isinstance(node.ctx, ast.Store):
            source = getattr(node.up, "value", None) or getattr(node.up, "iter", None)
            return [("failing", source, None)] if source is not None else []
        if isinstance(node, (ast.Assign, ast.AnnAssign)):
            return [("failing", node.value, None)]
        if isinstance(node, ast.AugAssign):
            return self.of_operands(node.target, node.value)
        if isinstance(node, ast.BinOp):
            return self.of_operands(node.left, node.right)
        if isinstance(node, ast.Compare):
            return self.of_operands(node.left, node.comparators[-1])
        if isinstance(node, ast.UnaryOp):
            return [("failing", node.operand, None)]
        if isinstance(node, ast.Attribute):
            return [("failing", node.value, None)]
        if isinstance(node, ast.Subscript):
            return self.of_item(node)
        if isinstance(node, ast.Call):
            return self.of_arguments(node)
        if isinstance(node, (ast.With, ast.AsyncWith)):
            return [("failing", node.items[0].context_expr, None)]
        return []

    def of_operands(self, left, right):
        if self.kind == "ZeroDivisionError":
            return [("failing", right, None)]
        values = [(side, self.now(side)) for side in (left, right)]
        nothing = [side for side, value in values if value is None]
        text = [side for side, value in values if id(type(value)) in (id(str), id(bytes))]
        sequence = [side for side, value in values if id(type(value)) in SEQUENCES]
        number = [side for side, value in values if id(type(value)) in NUMBERS]
        if nothing:
            return [("failing", nothing[0], None)]
        if text and number:
            # Of text and a number either may be wrong; a constant is meant as it is.
            first = text if not isinstance(text[0], ast.Constant) else number
            if isinstance(text[0], ast.BinOp) or isinstance(text[0], ast.JoinedStr):
                first = number
            return [("failing", first[0], None)]
        if text and sequence:
            return [("failing", text[0], None)]
        return [("failing", side, None) for side, _ in values if not isinstance(side, ast.Constant)]

    def of_item(self, node):
        whole, key = self.now(node.value), self.now(node.slice)
        if self.kind == "KeyError":
            return [("key", node.slice, None), ("collection", node.value, None)]
        if self.kind == "IndexError":
            empty = id(type(whole)) in (id(list), id(tuple), id(str)) and len(whole) == 0
            order = [("index", node.slice, None), ("collection", node.value, None)]
            if empty and isinstance(node.slice, ast.Constant):
                return order[1:]
            return order[::-1] if empty else order
        if whole is None:
            return [("failing", node.value, None)]
        if id(type(whole)) in (id(list), id(tuple), id(str)) and id(type(key)) != id(int):
            return [("index", node.slice, None), ("collection", node.value, None)]
        return [("failing", node.value, None)]

    def of_arguments(self, node):
        function = node.func
        arguments = [argument for argument in node.args] + [keyword.value for keyword in node.keywords]
        arguments = [part.value if isinstance(part, ast.Starred) else part for part in arguments]
        if self.kind == "TypeError" and any(word in self.message for word in ("argument", "keyword")) and (
                "missing" in self.message or "takes" in self.message or "unexpected" in self.message):
            # The call itself is wrong, not a value.
            return []
        if "not callable" in self.message:
            return [("failing", function, None)]
        if self.kind == "TypeError":
            nothing = [part for part in arguments if self.now(part) is None]
            if nothing:
                return [("failing", nothing[0], None)]
            for part in arguments:
                inner = self.odd_item(part)
                if inner is not None:
                    return inner
        name = last_name(function)
        found = [("failing", part, None) for part in arguments if not isinstance(part, ast.Constant)]
        if isinstance(function, ast.Attribute) and name in ("pop", "popitem", "popleft", "remove", "index"):
            found.append(("collection", function.value, None))
        elif not found:
            source = followed_argument(node)
            found = [("failing", source, None)] if source is not None else []
        return found[:2]

    def odd_item(self, node):
        """What a call such as `sum` or `join` stumbled over in its argument."""
        if isinstance(node, (ast.GeneratorExp, ast.ListComp)):
            for index in reversed(self.of_site.get(getattr(node.elt, "site", None), ())):
                event = self.events[index]
                self.step("failing", node.elt, event[3])
                self.follow(node.elt, self.context_of(event).until_after(event))
                return []
        whole = self.now(node)
        if id(type(whole)) not in (id(list), id(tuple)):
            return None
        wanted = id(str) if self.message.startswith("sequence item") else None
        for index, item in enumerate(whole[:10_000]):
            kind = id(type(item))
            if kind != wanted if wanted else item is None or kind == id(str) and "str" in self.message:
                self.step("failing", node, item, f"{self.file.written(node)}[{index}]")
                self.origin(whole, (Part("key", index),), self.context, node)
                return []
        return None

    def asserted(self, node):
        statement = node if isinstance(node, ast.Assert) else getattr(node, "up", None)
        if not isinstance(statement, ast.Assert):
            if isinstance(node, ast.Raise):
                self.raised(node)
            elif isinstance(node, ast.Call) and last_name(node.func).startswith("assert") and node.args:
                # A method of a test case: what it was given are the sides.
                sides = list(zip(("left", "right"), node.args))
                self.chains([lambda side=side: self.side(*side) for side in sides])
            return
        self.condition(statement.test)

    def condition(self, test):
        if isinstance(test, ast.UnaryOp) and isinstance(test.op, ast.Not):
            self.condition(test.operand)
        elif isinstance(test, ast.BoolOp):
            parts = test.values
            for part in parts:
                value = self.now(part)
                wrong = value is False or value is None or isinstance(part, ast.Compare)
                if isinstance(test.op, ast.Or) or wrong or part is parts[-1]:
                    self.condition(part)
                    if isinstance(test.op, ast.And):
                        return
        elif isinstance(test, ast.Compare):
            sides = [("left", test.left), ("right", test.comparators[-1])]
            self.chains([lambda side=side: self.side(*side) for side in sides])
        else:
            self.start("failing", test)

    def raised(self, node):
        """An exception that the program raises itself: because of the condition around it."""
        around = node
        while hasattr(around, "up") and not isinstance(around, FUNCTIONS + (ast.ClassDef,)):
            inner, around = around, around.up
            if isinstance(around, ast.If):
                negated = inner in around.orelse
                test = around.test
                self.step("condition", test, negated is False)
                names = [part for part in ast.walk(test) if isinstance(part, (ast.Name, ast.Attribute))]
                names = [part for part in names if not self.called(part) and self.now(part) is not NOTHING]
                for part in names[:2]:
                    if isinstance(part.up, ast.Attribute) and part.up in names:
                        continue
                    self.start("part", part)
                return

    def called(self, part):
        return isinstance(part.up, ast.Call) and part.up.func is part

    def unbound(self, node):
        if not isinstance(node, ast.Name):
            return
        scope = node.scope
        while scope is not None and node.id not in scope.names:
            scope = scope.parent
        if scope is None:
            for other in self.scopes(self.file.tree):
                if node.id in other.names:
                    binding = other.names[node.id][0]
                    where = getattr(other.node, "name", "another scope")
                    self.step("elsewhere", binding.node, NOTHING, where)
                    return
            return
        for binding in scope.names[node.id]:
            self.step("unbound", binding.node, NOTHING, node.id)
            around = binding.node
            while hasattr(around, "up") and not isinstance(around, FUNCTIONS):
                around = around.up
                if isinstance(around, (ast.If, ast.While)):
                    self.step("condition", around.test, False)
                    for part in [part for part in ast.walk(around.test) if isinstance(part, ast.Name)][:1]:
                        if part is not around.test and not self.called(part):
                            self.start("part", part)
                    return
                if isinstance(around, (ast.For, ast.AsyncFor)) and around.iter is not binding.node:
                    self.start("iterated", around.iter)
                    return
                if isinstance(around, ast.For) and around.iter is binding.node:
                    self.start("iterated", around.iter)
                    return

    def scopes(self, tree):
        for node in ast.walk(tree):
            scope = getattr(node, "scope_of", None)
            if scope is not None:
                yield scope


def shortened(steps, most):
    """The beginning and the end of a chain: what failed and where it came from."""
    if len(steps) <= most:
        return steps
    first = (most + 1) // 2
    rest = steps[first - most:] if most > first else []
    if rest:
        rest[0] = {**rest[0], "gap": True}
    return steps[:first] + rest
