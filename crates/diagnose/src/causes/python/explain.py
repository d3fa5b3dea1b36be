"""Follows the value that made the program fail back to where it came from.

A question is a node of the pristine tree in a context: a frame, the time until which its events count, and where the
frame is still there, its variables. Nothing of the program is called; what was not recorded ends the chain.
"""
import ast

NOW = float("inf")
MOST = 24
NOTHING = object()
# Roles of the place where a value came into the program.
ENDS = ("input", "literal")
INPUTS = ("input", "open", "urlopen", "getenv", "get_data")
REMOVERS = ("pop", "popleft", "popitem", "remove", "discard", "clear")
# Calls whose items are those of their argument.
SAME_ITEMS = ("sorted", "list", "tuple", "reversed", "set", "copy")
WITH_PARTS = (ast.Name, ast.Call, ast.Dict, ast.List, ast.Tuple, ast.Set, ast.IfExp, ast.NamedExpr, ast.Await)
READERS = ("read", "readline", "readlines", "read_text", "read_bytes", "recv", "getenv")
SIMPLE = {id(kind) for kind in (int, float, str, bytes, bool, complex, type(None))}


class Context:
    """Where an expression was evaluated."""

    def __init__(self, frame, start, until, live=()):
        self.frame, self.start, self.until, self.live = frame, start, until, live

    def before(self, time):
        return Context(self.frame, self.start, time, self.live)

    def until_after(self, event):
        """The same, in which the event itself counts."""
        return self.before(event[0] + 0.5)


class Part:
    """What of a value is followed: an item by its key, an attribute, or an item by what it is."""

    def __init__(self, kind, key):
        self.kind, self.key = kind, key


def simple(value):
    return id(type(value)) in SIMPLE


def same(one, other):
    """Equality that runs nothing of the program."""
    if one is other:
        return True
    return type(one) is type(other) and simple(one) and one == other


class Explainer(Objects):
    def __init__(self):
        self.events = sorted(list(ring) + [event for event in latest if event is not None], key=lambda event: event[0])
        self.of_site = {}
        for index, event in enumerate(self.events):
            self.of_site.setdefault(event[1], []).append(index)
        self.steps = []
        self.seen = set()

    # Events

    def last(self, site, context, any_frame=False):
        """The last event of a place in a context."""
        for index in reversed(self.of_site.get(site, ())):
            event = self.events[index]
            if event[0] >= context.until:
                continue
            if any_frame:
                return event
            if event[0] < context.start:
                return None
            if event[2] == context.frame:
                return event
        return None

    def context_of(self, event):
        """The context in which an event took place, up to it."""
        site = SITES[event[1]]
        owner = site.scope.holder()
        start = -1
        if owner.enter is not None:
            entry = self.last(owner.enter, Context(event[2], -1, event[0]))
            start = entry[0] if entry is not None else -1
        return Context(event[2], start, event[0])

    def value(self, node, context):
        """The value that an expression had, `NOTHING` where it is not known."""
        if isinstance(node, ast.Constant):
            return node.value
        site = getattr(node, "site", None)
        if site is not None:
            event = self.last(site, context)
            if event is not None:
                return event[3]
        if isinstance(node, ast.Name):
            if context.until == NOW:
                for variables in context.live:
                    if node.id in variables:
                        return variables[node.id]
            found = self.binding(node, context)
            if found is not None:
                binding, event = found
                if binding.kind == "parameter":
                    return event[3][0][binding.path[0]]
                if event is not None:
                    return self.part_of(event[3], binding.path) if SITES[event[1]].kind != "bind" else event[3]
            for variables in context.live:
                if node.id in variables:
                    return variables[node.id]
        if isinstance(node, ast.Attribute) and context.until == NOW:
            return self.attribute(self.value(node.value, context), node.attr)
        if isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.USub):
            inner = self.value(node.operand, context)
            return -inner if type(inner) in (int, float) else NOTHING
        return NOTHING

    def part_of(self, value, path):
        for key in path:
            if key is None or id(type(value)) not in (id(list), id(tuple)) or key >= len(value):
                return NOTHING
            value = value[key]
        return value

    def attribute(self, value, name):
        try:
            fields = object.__getattribute__(value, "__dict__")
        except Exception:
            return NOTHING
        return fields.get(name, NOTHING) if type(fields) is dict else NOTHING

    def binding(self, node, context):
        """The binding of a name that was in force, with its event (none for imports and definitions)."""
        scope = getattr(node, "scope", None)
        first = scope
        while scope is not None:
            if node.id in scope.globals:
                scope = scope.module()
            if node.id in scope.names and (scope.kind != "class" or scope is first):
                break
            scope = scope.parent
        if scope is None:
            return None
        mine = first.holder() is scope.holder()
        best = None
        for binding in scope.names[node.id]:
            if binding.kind == "parameter":
                event = self.last(scope.enter, Context(context.frame, context.start - 1, context.until), not mine)
            elif binding.site is None:
                best = best or (binding, None)
                continue
            else:
                event = self.last(binding.site, context, not mine)
            if event is not None and (best is None or best[1] is None or event[0] > best[1][0]):
                best = (binding, event)
        return best

    # Steps

    def step(self, role, node, value, text=None):
        if len(self.steps) >= MOST or role == "part" and isinstance(node, ast.GeneratorExp):
            return False
        if role == "part" and value is NOTHING and isinstance(node, ast.Name):
            return False
        file = node.scope.file if hasattr(node, "scope") else self.file
        if value is NOTHING:
            written = ""
        else:
            written = f"<{NAME(value.kind)}>" if type(value) is Unheld else safe(value)
        if isinstance(node, ast.Constant) and text is None and written:
            # A literal and its value are one, however it is quoted.
            text = written
        step = {"role": role, "file": file.shown, "line": node.lineno, "expression": text or file.written(node),
                "value": written}
        last = self.steps[-1] if self.steps else None
        if last and all(last[key] == step[key] for key in ("file", "line", "expression")):
            if role in ENDS:
                last["role"] = role
            return True
        self.steps.append(step)
        return True

    def once(self, *key):
        if key in self.seen or len(self.seen) > 200:
            return False
        self.seen.add(key)
        return True

    # Following

    def follow(self, node, context, path=()):
        """Explains where the value of an expression (or the part of it that `path` names) came from."""
        if len(self.steps) >= MOST or not self.once(id(node), context.frame, context.until, len(path)):
            return
        handler = getattr(self, "of_" + type(node).__name__.lower(), None)
        value = self.value(node, context)
        # What an expression is made of was evaluated before it.
        made = self.last(getattr(node, "site", None), context)
        inner = context if made is None else context.before(made[0])
        if path and not isinstance(node, WITH_PARTS):
            self.origin(value, path, inner, node)
        elif handler is not None:
            handler(node, inner, path, value)

    def of_name(self, node, context, path, value):
        found = self.binding(node, context)
        if found is None:
            return
        binding, event = found
        if path:
            if value is not NOTHING and self.origin(value, path, context, None):
                return
        if binding.kind == "parameter":
            self.passed(node, binding, event, path)
            return
        if event is None:
            self.step(binding.kind, binding.node, NOTHING)
            return
        source, where = binding.node, self.context_of(event)
        if binding.kind == "item":
            if source.scope.holder() is not SITES[event[1]].scope.holder():
                # A generator expression gets its first iterable from the function around it.
                outer = self.last(source.site, where, True)
                where = where if outer is None else self.context_of(outer).until_after(outer)
            self.item(source, binding.path, event[3], where, path)
            return
        if binding.kind == "changed":
            self.step("changed", source, event[3])
            if not isinstance(source.value, ast.Constant):
                self.step("part", source.value, self.value(source.value, where))
                self.follow(source.value, where)
            return
        keys = tuple(Part("key", key) for key in binding.path if key is not None)
        where = where.until_after(event)
        self.step(binding.kind, source, self.value(source, where))
        if not isinstance(source, ast.Constant):
            self.follow(source, where, keys + path)

    def item(self, source, keys, item, context, path):
        """The item of a loop: on to where it was put into what is iterated."""
        whole = self.value(source, context)
        if ast.unparse(source) == "sys.stdin":
            self.step("input", source, NOTHING)
            return
        if isinstance(source, ast.Call):
            name = last_name(source.func)
            if name == "enumerate" and source.args and keys[:1] == (1,):
                source, keys = source.args[0], keys[1:]
                whole = self.value(source, context)
            elif name == "zip" and keys and type(keys[0]) is int and keys[0] < len(source.args):
                source, keys = source.args[keys[0]], keys[1:]
                whole = self.value(source, context)
            elif name == "range" and "len(" in self.text(source):
                self.step("item", source, whole)
                return
            elif name in ("items", "values") and isinstance(source.func, ast.Attribute):
                mapping = self.value(source.func.value, context)
                self.step("item", source, mapping, self.text(source))
                if id(type(mapping)) in MAPPINGS and keys in ((), (1,)):
                    for key, held_value in dict.items(mapping):
                        if held_value is item or same(held_value, item):
                            self.origin(mapping, (Part("key", key),) + path, context, source.func.value)
                            return
                return
        self.step("item", source, whole)
        if whole is NOTHING or type(whole) is Unheld:
            if not self.yielded(item, context, path):
                self.follow(source, context)
            return
        parts = (Part("value", item),)
        if keys and None not in keys and id(type(whole)) in (id(list), id(tuple)):
            for element in reversed(whole[-10_000:]):
                if self.part_of(element, keys) is item:
                    parts = (Part("value", element),) + tuple(Part("key", key) for key in keys)
                    break
        self.origin(whole, parts + path, context, source)

    def yielded(self, item, context, path):
        """The last `yield` of this value."""
        best = None
        for number, site in enumerate(SITES):
            if site.kind == "yield":
                event = self.last(number, context, True)
                if event is not None and same(event[3], item) and (best is None or event[0] > best[0]):
                    best = event
        if best is None:
            return False
        node = SITES[best[1]].node
        self.step("yielded", node, best[3])
        if not isinstance(node, ast.Constant):
            self.follow(node, self.context_of(best).until_after(best), path)
        return True

    def text(self, node):
        return node.scope.file.written(node)

    def passed(self, node, binding, event, path):
        """A parameter: on to the argument in the caller."""
        values, called = event[3]
        value = values[binding.path[0]]
        scope = SITES[event[1]].scope
        if called is None:
            return
        frame, code, at = called
        file = FILES.get(code.co_filename)
        place = place_of(code, at)
        call = file.at(place) if file is not None and place else None
        if call is None or not hasattr(call, "scope"):
            return
        owner, start = call.scope.holder(), -1
        if owner.enter is not None:
            entry = self.last(owner.enter, Context(frame, -1, event[0]))
            start = entry[0] if entry is not None else -1
        context = Context(frame, start, event[0])
        source = mediator(call, scope)
        if source:
            for argument in source:
                whole = self.value(argument, context)
                if id(type(whole)) in SEQUENCES and any(item is value for item in list(whole)[:10_000]):
                    self.step("item", argument, whole)
                    self.origin(whole, (Part("value", value),) + path, context, argument)
                    return
            return
        argument, more, path = argument_of(call, scope, binding, path)
        if argument is None:
            default = default_of(scope.node, node.id)
            if default is not None:
                default.scope = scope.parent
                self.step("default", default, value)
            return
        self.step("passed", argument, self.value(argument, context) if more else value)
        if not isinstance(argument, ast.Constant):
            self.follow(argument, context, more + path)

    def of_call(self, node, context, path, value):
        returned = self.returned(node, context, value)
        if returned is not None:
            event, site = returned
            inside = self.context_of(event).until_after(event)
            if site.kind == "end":
                end = site.node
                ends = isinstance(end, FUNCTIONS)
                self.step("ended" if ends else "returned", end, None, end.name if ends else "return")
                return
            self.step("returned", site.node, event[3])
            if not isinstance(site.node, ast.Constant):
                self.follow(site.node, inside, path)
            return
        if path and value is not NOTHING and self.origin(value, path, context, None):
            return
        name = last_name(node.func)
        from_outside = name in READERS or ast.unparse(node.func).startswith("os.environ")
        if isinstance(node.func, ast.Name) and name in INPUTS or from_outside:
            self.step("input", node, value)
            return
        if name in ("get", "pop") and isinstance(node.func, ast.Attribute) and node.args:
            self.looked_up(node, context, value)
            return
        if value is None and name in MUTATORS | {"sort", "reverse"}:
            self.step("nothing", node, None)
            return
        source = followed_argument(node)
        if source is not None:
            if not isinstance(source, ast.Constant):
                self.step("part", source, self.value(source, context))
            self.follow(source, context)

    def looked_up(self, node, context, value):
        """`d.get(key)`: the default where the key is not there."""
        whole, key = node.func.value, node.args[0]
        mapping, wanted = self.value(whole, context), self.value(key, context)
        if id(type(mapping)) in MAPPINGS:
            if simple(wanted) and not any(same(wanted, held) for held in dict.keys(mapping)):
                self.step("absent", whole, mapping)
                if not isinstance(key, ast.Constant):
                    self.step("key", key, wanted)
                    self.follow(key, context)
                else:
                    self.follow(whole, context)
                return
            if simple(wanted):
                self.origin(mapping, (Part("key", wanted),), context, whole)
                return
        self.step("part", whole, mapping)
        self.follow(whole, context)

    def returned(self, node, context, value):
        """The return of the program's own function that a call got its value from."""
        if value is NOTHING or not hasattr(node, "site"):
            return None
        best = None
        for number, site in enumerate(SITES):
            if site.kind not in ("return", "end"):
                continue
            owner = site.scope.holder()
            for index in reversed(self.of_site.get(number, ())):
                event = self.events[index]
                if event[0] >= context.until:
                    continue
                if best is not None and event[0] < best[0][0]:
                    break
                if not same(event[3], value):
                    continue
                entry = self.last(owner.enter, Context(event[2], -1, event[0])) if owner.enter is not None else None
                if entry is not None and entry[3][1] is not None and entry[3][1][0] == context.frame:
                    if entry[0] > context.start and place_of(*entry[3][1][1:]) == span(node):
                        best = (event, site)
                        break
        return best

    def of_attribute(self, node, context, path, value):
        returned = self.returned(node, context, value)
        if returned is not None:
            event, site = returned
            self.step("returned", site.node, event[3], None if site.kind == "return" else "return")
            if site.kind == "return":
                self.follow(site.node, self.context_of(event).until_after(event), path)
            return
        owner = self.value(node.value, context)
        if owner is NOTHING or not self.origin(owner, (Part("attribute", node.attr),), context, None):
            self.in_class(owner, node.attr, value)

    def in_class(self, owner, name, value):
        """An attribute that the class gives."""
        if owner is NOTHING or type(owner) is Unheld:
            return
        for base in MRO(owner if type(owner) is type else type(owner)):
            for file in FILES.values():
                found = file.module.names.get(NAME(base), ())
                for binding in found:
                    scope = getattr(binding.node, "scope_of", None)
                    for inner in scope.names.get(name, ()) if scope is not None else ():
                        if inner.kind == "assigned":
                            self.step("class", inner.node, value)
                            return

    def of_subscript(self, node, context, path, value):
        whole, key = self.value(node.value, context), self.value(node.slice, context)
        if whole is NOTHING or not simple(key):
            return
        if type(key) is int and key < 0 and id(type(whole)) in (id(list), id(tuple)):
            key += len(whole)
        if id(type(whole)) in (id(str), id(bytes)):
            self.step("part", node.value, whole)
            self.follow(node.value, context)
            return
        self.origin(whole, (Part("key", key),) + path, context, node.value)

    def of_binop(self, node, context, path, value):
        sides = [(side, self.value(side, context)) for side in (node.left, node.right)]
        chosen = [side for side, _ in sides if not isinstance(side, ast.Constant)]
        if isinstance(node.op, ast.Mult) and simple(value) and value == 0 and value is not None:
            zero = [side for side, found in sides if simple(found) and found == 0]
            if any(isinstance(side, ast.Constant) for side in zero):
                return
            chosen = zero or chosen
        for side in chosen[:1] if isinstance(node.op, ast.Mult) else chosen[:2]:
            before = len(self.steps)
            self.step("part", side, self.value(side, context))
            self.follow(side, context)
            if len(self.steps) > before + 3:
                return

    def of_unaryop(self, node, context, path, value):
        if not isinstance(node.operand, ast.Constant):
            self.step("part", node.operand, self.value(node.operand, context))
            self.follow(node.operand, context)

    def of_boolop(self, node, context, path, value):
        for side in reversed(node.values):
            if self.value(side, context) is not NOTHING:
                if not isinstance(side, ast.Constant):
                    self.step("part", side, self.value(side, context))
                    self.follow(side, context)
                return

    def of_compare(self, node, context, path, value):
        for side in [node.left] + node.comparators:
            if not isinstance(side, ast.Constant):
                self.step("part", side, self.value(side, context))
                self.follow(side, context)

    def of_ifexp(self, node, context, path, value):
        for branch in (node.body, node.orelse):
            found = self.value(branch, context)
            if found is not NOTHING and same(found, value):
                self.step("part", branch, found)
                self.follow(branch, context, path)
                return

    def of_namedexpr(self, node, context, path, value):
        self.follow(node.value, context, path)

    def of_await(self, node, context, path, value):
        self.follow(node.value, context, path)

    def of_joinedstr(self, node, context, path, value):
        for part in node.values:
            if isinstance(part, ast.FormattedValue):
                self.step("part", part.value, self.value(part.value, context))
                self.follow(part.value, context)
                return

    def of_listcomp(self, node, context, path, value):
        """An empty collection comes from what is iterated; a part of it from the element."""
        source = node.generators[0].iter
        self.step("iterated", source, self.value(source, context))
        self.follow(source, context)

    of_setcomp = of_dictcomp = of_generatorexp = of_listcomp

    def of_dict(self, node, context, path, value):
        if not path:
            return
        for key, value in zip(node.keys, node.values):
            if key is not None and same(self.value(key, context), path[0].key):
                self.element(key if path[0].kind == "value" else value, context, path[1:])
                return

    def of_list(self, node, context, path, value):
        if not path:
            return
        first = path[0]
        for index, element in enumerate(node.elts):
            if isinstance(element, ast.Starred):
                return
            if first.kind == "key" and index == first.key:
                self.element(element, context, path[1:])
                return
            if first.kind == "value":
                value = self.value(element, context)
                if value is not NOTHING and same(value, first.key):
                    self.element(element, context, path[1:])
                    return

    of_tuple = of_set = of_list

    def element(self, node, context, path):
        value = self.value(node, context)
        if path:
            self.follow(node, context, path)
            return
        literal = isinstance(node, (ast.Constant, ast.List, ast.Dict, ast.Tuple, ast.Set)) or (
            isinstance(node, ast.UnaryOp) and isinstance(node.operand, ast.Constant))
        self.step("literal" if literal else "stored", node, value)
        if not literal:
            self.follow(node, context)
