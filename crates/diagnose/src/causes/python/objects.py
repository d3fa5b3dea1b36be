"""Where a part of an object came from: the last change of it that was recorded, else the place where the object was made."""
import ast


class Objects:
    """Follows items and attributes through the objects that hold them."""

    def origin(self, whole, path, context, node):
        """Where a part of an object came from: its last change, else the place where the object was made."""
        if whole is NOTHING or type(whole) is Unheld or simple(whole):
            return False
        part, rest = path[0], path[1:]
        if not self.once("origin", id(whole), part.kind, id(part.key) if not simple(part.key) else repr(part.key)):
            return False
        made = None
        for event in reversed(self.events):
            if event[0] >= context.until or event[3] is not whole:
                continue
            site = SITES[event[1]]
            if site.kind == "stored" and self.stored(site, event, part, rest):
                return True
            if site.kind == "mutation" and self.mutated(site, event, part, rest):
                return True
            if isinstance(site.node, (ast.Call, ast.List, ast.Dict, ast.Tuple, ast.Set, ast.ListComp, ast.DictComp,
                                      ast.SetComp)) and site.kind in ("value", "return", "stored", "mutation"):
                made = event
        if made is not None:
            return self.made(made, part, rest)
        before = len(self.steps)
        if isinstance(node, ast.Name):
            self.of_name(node, context, path, whole)
        elif node is not None:
            self.follow(node, context)
        return len(self.steps) > before

    def stored(self, site, event, part, rest):
        target, source = site.info
        if isinstance(target, ast.Attribute):
            if part.kind != "attribute" or part.key != target.attr:
                return False
        elif part.kind == "key":
            # The key is evaluated after the object.
            key = self.first_after(target.slice, event)
            if key is NOTHING:
                key = self.value(target.slice, self.context_of(event)) if isinstance(target.slice, ast.Constant) else key
            if not same(key, part.key):
                return False
        else:
            key = self.first_after(target.slice, event)
            if not same(key, part.key):
                return False
            source = target.slice if part.kind == "value" else source
        if source is None:
            self.step("deleted", target, NOTHING)
            return True
        where = self.context_of(event)
        if isinstance(source, ast.AugAssign):
            self.step("changed", source, NOTHING)
            self.follow(source.value, where)
            return True
        self.step("stored", source, self.value(source, where), None)
        if not isinstance(source, ast.Constant):
            self.follow(source, where, rest)
        return True

    def first_after(self, node, event):
        site = getattr(node, "site", None)
        for index in self.of_site.get(site, ()):
            later = self.events[index]
            if later[0] > event[0] and later[2] == event[2]:
                return later[3]
        return NOTHING

    def mutated(self, site, event, part, rest):
        """A method that put the part into the object."""
        call = site.info
        if call.func.attr not in ("append", "appendleft", "insert", "add", "put", "setdefault") or not call.args:
            return False
        argument = call.args[-1]
        where = self.context_of(event)
        where = Context(where.frame, where.start, self.after(call, event), where.live)
        value = self.value(argument, where)
        whole = event[3]
        if part.kind == "key" and call.func.attr == "setdefault":
            if not same(self.value(call.args[0], where), part.key):
                return False
        elif part.kind == "key":
            if id(type(whole)) != id(list) or type(part.key) is not int or not 0 <= part.key < len(whole):
                return False
            if value is not whole[part.key] and not same(value, whole[part.key]):
                return False
        elif part.kind != "value" or value is NOTHING or not same(value, part.key):
            return False
        if not rest:
            self.step("added", argument, value)
        if not isinstance(argument, ast.Constant):
            self.follow(argument, where, rest)
        return True

    def removed(self, whole, key, context):
        """The last call or `del` that took an item out of a collection."""
        failing = True
        for event in reversed(self.events):
            if event[0] >= context.until or event[3] is not whole:
                continue
            site = SITES[event[1]]
            if failing and site.kind == "mutation" and site.info is self.node:
                failing = False
                continue
            if site.kind == "mutation" and site.info.func.attr in REMOVERS:
                given = self.value(site.info.args[0], self.context_of(event).before(self.after(site.info, event))) \
                    if site.info.args else NOTHING
                if key is NOTHING or given is NOTHING or same(given, key):
                    self.step("deleted", site.info, NOTHING)
                    return True
            if site.kind == "stored" and site.info[1] is None and self.stored(site, event, Part("key", key), ()):
                return True
        return False

    def after(self, call, event):
        """The time when a call had ended whose object was recorded by `event`."""
        for index in self.of_site.get(getattr(call, "site", None), ()):
            later = self.events[index]
            if later[0] > event[0] and later[2] == event[2]:
                return later[0]
        return NOW

    def made(self, event, part, rest):
        node = SITES[event[1]].node
        # Of an event of a call the arguments count that were evaluated before it.
        where = self.context_of(event)
        if isinstance(node, (ast.List, ast.Dict, ast.Tuple, ast.Set)):
            before = len(self.steps)
            self.follow(node, where, (part,) + rest)
            return len(self.steps) > before
        if isinstance(node, (ast.ListComp, ast.SetComp, ast.DictComp)):
            element = node.value if isinstance(node, ast.DictComp) else node.elt
            for index in reversed(self.of_site.get(getattr(element, "site", None), ())):
                found = self.events[index]
                if found[0] < event[0] and part.kind == "value" and same(found[3], part.key):
                    if not rest:
                        self.step("item", element, found[3])
                    self.follow(element, self.context_of(found).until_after(found), rest)
                    return True
            return False
        argument = field_of(node, part.key, event[3]) if part.kind == "attribute" else None
        if argument is not None:
            self.step("passed", argument, self.value(argument, where))
            if not isinstance(argument, ast.Constant):
                self.follow(argument, where, rest)
            return True
        if part.kind == "attribute":
            return False
        self.step("made", node, event[3])
        name = last_name(node.func)
        if name in INPUTS or name in READERS:
            self.steps[-1]["role"] = "input"
            return True
        if name in SAME_ITEMS and node.args and id(type(event[3])) in (id(list), id(tuple)):
            item = part.key if part.kind == "value" else self.part_of(event[3], (part.key,))
            if item is not NOTHING:
                inner = self.value(node.args[0], where)
                if self.origin(inner, (Part("value", item),) + rest, where, node.args[0]):
                    return True
        source = followed_argument(node)
        if source is not None and not isinstance(source, ast.Constant):
            self.step("part", source, self.value(source, where))
            self.follow(source, where)
        return True
