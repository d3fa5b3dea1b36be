"""Writes tests for a Python module, without a model: calls are tried, what they do is watched, what tells something is kept.

    python3 generate.py        inside the sandbox; reads plan.json beside it, writes one JSON object a line to result.jsonl
"""

import ast
import importlib
import importlib.util
import inspect
import json
import os
import random
import resource
import select
import signal
import subprocess
import sys
import time

HERE = os.path.dirname(os.path.abspath(__file__))
ROOT = os.path.dirname(HERE)
sys.path.insert(0, HERE)
import mutants
import observe
import values
from line_coverage import lines_of
from observe import Call, Target, Watcher

PAIRS = [("encode", "decode"), ("dumps", "loads"), ("dump", "load"), ("serialize", "deserialize"), ("compress", "decompress"), ("escape", "unescape"), ("quote", "unquote"), ("pack", "unpack"), ("to_", "from_"), ("encrypt", "decrypt"), ("format", "parse"), ("unparse", "parse"), ("render", "parse"), ("join", "split"), ("camel_to_snake", "snake_to_camel"), ("camelize", "underscore"), ("flatten", "unflatten"), ("int_to_", "_to_int"), ("zip", "unzip")]


def child(work, seconds):
    """Runs `work` in a process of its own; gives what it told before it ended or its time was over."""
    reader, writer = os.pipe()
    pid = os.fork()
    if pid == 0:
        try:
            os.close(reader)
            nothing = os.open(os.devnull, os.O_RDWR)
            for number in (0, 1, 2):
                os.dup2(nothing, number)
            resource.setrlimit(resource.RLIMIT_AS, (1 << 30, 1 << 30))
            resource.setrlimit(resource.RLIMIT_FSIZE, (16 << 20, 16 << 20))
            resource.setrlimit(resource.RLIMIT_CORE, (0, 0))

            def tell(answer):
                data = memoryview((json.dumps(answer) + "\n").encode())
                while data:
                    data = data[os.write(writer, data) :]

            work(tell)
        except BaseException:
            pass
        finally:
            os._exit(0)
    os.close(writer)
    until, data = time.monotonic() + seconds, b""
    while True:
        left = until - time.monotonic()
        if left <= 0 or not select.select([reader], [], [], left)[0]:
            break
        part = os.read(reader, 1 << 20)
        if not part:
            break
        data += part
    try:
        os.kill(pid, signal.SIGKILL)
    except OSError:
        pass
    os.waitpid(pid, 0)
    os.close(reader)
    answers = []
    for line in data.split(b"\n"):
        try:
            answers.append(json.loads(line))
        except ValueError:
            pass
    return answers


def entry_of(answer):
    """A call, what it does, the steps it takes, the lines it reaches."""
    args, kwargs, receiver, before, seen, arcs = answer
    lines = {line for arc in arcs for line in arc if line > 0}
    return Call(args, kwargs, receiver, before), seen, frozenset(map(tuple, arcs)), lines


def plainness(entry):
    """Results before errors; not the emptiest call, and not a long one."""
    call, seen = entry[:2]
    return seen["outcome"][0] == "raises", abs(len("".join(call.args)) - 10 * len(call.args)) + 2 * len(call.kwargs) + 5 * len(call.before)


class Generator:
    def __init__(self, plan):
        self.plan = plan
        self.chance = random.Random(20_24)
        self.path = os.path.join(ROOT, plan["path"])
        with open(self.path, "rb") as file:
            self.text = file.read()
        self.tree = ast.parse(self.text)
        self.module = importlib.import_module(plan["module"])
        self.path = getattr(self.module, "__file__", None) or self.path
        self.makers = values.Makers(self.module, self.tree, self.chance)
        self.until = time.monotonic() + plan["seconds"]
        self.nodes = {}
        for node in self.tree.body:
            if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef)):
                self.nodes[node.name] = node
            elif isinstance(node, ast.ClassDef):
                self.nodes[node.name] = node
                for part in node.body:
                    if isinstance(part, (ast.FunctionDef, ast.AsyncFunctionDef)):
                        self.nodes["%s.%s" % (node.name, part.name)] = part

    def targets(self):
        found, wanted = [], self.plan["functions"]
        names = [node.name for node in self.tree.body if hasattr(node, "name")]
        public = [name for name in names if not name.startswith("_")] or names
        for name in dict.fromkeys(wanted or public):
            owner, _, part = name.partition(".")
            value = getattr(self.module, owner, None)
            if value is None or owner not in self.nodes:
                continue
            if isinstance(value, type):
                found += self.of_class(owner, value, part)
            elif callable(value):
                found.append(Target("function", owner, None, inspect.unwrap(value)))
        return found

    def of_class(self, name, value, only):
        if issubclass(value, BaseException) or (inspect.isabstract(value) and not only):
            return []
        found = [] if only else [Target("class", name, None, value)]
        for node in self.nodes[name].body:
            if not isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef)):
                continue
            special = node.name.startswith("_") and node.name not in ("__call__", "__len__", "__contains__", "__getitem__", "__iter__", "__eq__", "__lt__", "__add__", "__sub__", "__mul__", "__str__", "__repr__", "__setitem__", "__delitem__", "__hash__", "__bool__", "__or__", "__and__")
            if (only and node.name != only) or (special and node.name != only):
                continue
            raw = inspect.getattr_static(value, node.name, None)
            if isinstance(raw, (staticmethod, classmethod)):
                found.append(Target("static", node.name, name, raw.__func__))
            elif isinstance(raw, property) or type(raw).__name__ == "cached_property":
                if not any(target.kind == "property" and target.name == node.name for target in found):
                    found.append(Target("property", node.name, name, getattr(raw, "fget", getattr(raw, "func", None))))
            elif callable(raw):
                found.append(Target("method", node.name, name, inspect.unwrap(raw)))
        return found

    # Searching: which calls reach what.

    def parameters(self, target):
        """The parameters that a caller gives, each with its pool."""
        if target.kind == "property":
            return []
        node = self.nodes.get("%s.%s" % (target.owner, target.name) if target.owner else target.name)
        try:
            signature = inspect.signature(target.function)
        except (TypeError, ValueError):
            return []
        hinted = target.function.__init__ if target.kind == "class" else target.function
        hints = dict(values.hints_of(target.function) if target.kind == "class" else {}, **values.hints_of(hinted))
        if isinstance(node, ast.ClassDef):
            node = self.nodes.get("%s.__init__" % node.name)
        parameters = list(signature.parameters.values())
        raw = inspect.getattr_static(getattr(self.module, target.owner), target.name) if target.owner else None
        if target.kind == "method" or isinstance(raw, classmethod):
            parameters = parameters[1:]
        uses = values.Uses([parameter.name for parameter in parameters])
        if node is not None:
            uses.visit(node)
        own = values.literals_of(node) if node is not None else []
        found = []
        for parameter in parameters:
            if parameter.kind is parameter.VAR_KEYWORD:
                continue
            hint = hints.get(parameter.name, parameter.annotation)
            found.append((parameter, self.makers.pool(parameter, hint, uses, own)))
        return found

    def first(self, target, parameters):
        """Calls to begin with."""
        receivers = [None]
        if target.kind in ("method", "property"):
            receivers = self.makers.instances(getattr(self.module, target.owner))[:6] or ["%s()" % target.owner]
        calls = []
        for args, kwargs in values.examples(target.function, target.name):
            calls.append(Call(args, kwargs, receivers[0]))
        depth = max([len(pool) for _, pool in parameters] + [1])
        for rank in range(min(depth, 24)):
            for receiver in receivers[: 1 + (rank < 4) * 5]:
                calls.append(self.call(parameters, receiver, lambda index, pool: pool[rank % len(pool)], rank % 2 == 0))
        for index, (parameter, pool) in enumerate(parameters):
            for text in pool[:30]:
                calls.append(self.call(parameters, receivers[0], lambda at, own, index=index, text=text: text if at == index else own[0], False, index))
        return calls, receivers

    def call(self, parameters, receiver, choose, all_of_them, forced=None):
        args, kwargs, plain = [], {}, True
        for index, (parameter, pool) in enumerate(parameters):
            if parameter.kind is parameter.VAR_POSITIONAL:
                if plain and (all_of_them or forced == index):
                    args += [choose(index, pool)]
                continue
            optional = parameter.default is not parameter.empty
            if optional and not all_of_them and forced != index:
                plain = False
                continue
            text = choose(index, pool)
            if plain and parameter.kind is not parameter.KEYWORD_ONLY and not optional:
                args.append(text)
            elif parameter.kind is parameter.POSITIONAL_ONLY:
                if plain:
                    args.append(text)
            else:
                plain = False
                kwargs[parameter.name] = text
        return Call(args, kwargs, receiver)

    def varied(self, call, parameters, receivers, methods):
        """A neighbour of a call."""
        chance = self.chance
        new = Call(call.args, call.kwargs, call.receiver, call.before)
        pools = {parameter.name: pool for parameter, pool in parameters}
        order = [parameter.name for parameter, _ in parameters if parameter.kind is not parameter.KEYWORD_ONLY]
        choice = chance.random()
        if new.receiver is not None and (choice < 0.2 or not parameters):
            if methods and chance.random() < 0.6:
                name, own = chance.choice(methods)
                made = self.call(own, None, lambda index, pool: chance.choice(pool[:12]), False)
                new.before = (new.before + ["%s(%s)" % (name, made.words())])[-4:]
            else:
                new.receiver = chance.choice(receivers)
            return new
        if choice < 0.35 and parameters:
            optional = [p for p, _ in parameters if p.default is not p.empty and p.kind not in (p.POSITIONAL_ONLY, p.VAR_POSITIONAL)]
            if optional:
                name = chance.choice(optional).name
                if name in new.kwargs and chance.random() < 0.4:
                    del new.kwargs[name]
                elif order.index(name) >= len(new.args) if name in order else True:
                    new.kwargs[name] = chance.choice(pools[name])
                return new
        for _ in range(chance.choice([1, 1, 1, 2])):
            spots = [(index, None) for index in range(len(new.args))] + [(None, name) for name in new.kwargs]
            if not spots:
                break
            index, name = chance.choice(spots)
            text = new.args[index] if name is None else new.kwargs[name]
            own = pools.get(name) if name is not None else (parameters[min(index, len(parameters) - 1)][1] if parameters else None)
            text = chance.choice(own) if own and chance.random() < 0.35 else values.changed(text, chance, self.makers.literals + self.makers.matches)
            if name is None:
                new.args[index] = text
            else:
                new.kwargs[name] = text
        return new

    def methods(self, target):
        if target.kind not in ("method", "property"):
            return []
        found = []
        for other in self.of_class(target.owner, getattr(self.module, target.owner), ""):
            if other.kind == "method" and not other.name.startswith("_"):
                found.append((other.name, self.parameters(other)))
        return found

    def search(self, target, seconds):
        """Calls that reach something new, with what they do and which steps they take."""
        self.chance = random.Random(target.label)
        parameters = self.parameters(target)
        methods = self.methods(target)

        def work(tell):
            watcher = Watcher(self.module, self.path)
            until = time.monotonic() + seconds
            known, tried, corpus, kinds = set(), set(), [], {}
            waiting, receivers = self.first(target, parameters)
            late = 0
            # Where the machine is busy, some calls are tried all the same: the time alone would be over before the first of them.
            patience = until + max(seconds, 4.0)
            while late < 8 and time.monotonic() < (patience if len(tried) < 250 and not late else until):
                if waiting:
                    call = waiting.pop(0)
                else:
                    parent = self.chance.choice(corpus[-30:] if self.chance.random() < 0.6 else corpus) if corpus else None
                    if parent is None:
                        call = self.call(parameters, self.chance.choice(receivers), lambda index, pool: self.chance.choice(pool), self.chance.random() < 0.5)
                    else:
                        call = self.varied(parent, parameters, receivers, methods)
                key = call.key()
                if key in tried or len(key) > 1200:
                    if len(tried) > 60_000:
                        break
                    tried.add(key)
                    if not parameters and not methods and not waiting:
                        break
                    continue
                tried.add(key)
                arcs = set()
                seen = watcher.observe(target, call, arcs)
                if seen is None:
                    continue
                if "late" in seen:
                    late += 1
                    continue
                new = arcs - known
                outcome = seen["outcome"]
                kind = (outcome[0], outcome[1] if outcome[0] == "raises" else outcome[1][0])
                count = kinds.get(kind, 0)
                if new or count < (4 if outcome[0] == "raises" else 14):
                    known |= arcs
                    kinds[kind] = count + 1
                    if new or outcome[0] != "raises":
                        corpus.append(call)
                    tell([call.args, call.kwargs, call.receiver, call.before, seen, sorted(arcs)])

        return [entry_of(answer) for answer in child(work, seconds + 3 + max(seconds, 4.0))]

    def steady(self, target, found):
        """Those that do the same once more, in another process and in another order."""

        def work(tell):
            watcher = Watcher(self.module, self.path, 1.0)
            for index in reversed(range(len(found))):
                tell([index, watcher.observe(target, found[index][0])])

        again = dict(child(work, max(3.0, min(20.0, self.plan["seconds"]))))
        same = [entry for index, entry in enumerate(found) if json.dumps(again.get(index)) == json.dumps(entry[1])]
        return same, len(found) - len(same)

    # Judging by mutants.

    def changed_code(self, mutant):
        """The function that a mutant changes and its new code, where it can be exchanged."""
        try:
            code = mutants.code_of(mutant, self.text, self.path, self.tree)
        except (SyntaxError, ValueError):
            return None
        function = self.function_of(mutant)
        if code is None or function is None or function.__code__.co_freevars != code.co_freevars:
            return None
        return function, code

    def judge(self, target, ready, kept, found):
        """Which entry notices each mutant first: (number, entry) pairs, entry nothing where none does."""
        entries = kept + [entry for entry in found if entry not in kept]

        def work(tell):
            watcher = Watcher(self.module, self.path, 0.25)
            order = list(range(len(entries)))
            for number, (mutant, function, code) in ready:
                own = [index for index in order if mutant.line in entries[index][3]][:40]
                if not own:
                    continue
                tell([number])
                original, function.__code__ = function.__code__, code
                killer = None
                for index in own:
                    call, seen = entries[index][:2]
                    if observe.noticed(seen, watcher.observe(target, call)):
                        killer = index
                        break
                function.__code__ = original
                tell([number, killer])
                if killer is not None and killer >= len(kept):
                    order.remove(killer)
                    order.insert(0, killer)

        answers = child(work, 2 + 0.6 * len(ready))
        return entries, answers

    def hunt(self, target, mutant, function, code, entries, parameters, methods, receivers, seconds):
        """A new call that notices a mutant which nothing noticed yet."""
        original = function.__code__

        def work(tell):
            watcher = Watcher(self.module, self.path, 0.25)
            until = time.monotonic() + seconds
            pool = [entry[0] for entry in entries]
            tried = {call.key() for call in pool}
            while time.monotonic() < until:
                call = self.varied(self.chance.choice(pool), parameters, receivers, methods)
                if call.key() in tried or call.size() > 900:
                    continue
                tried.add(call.key())
                function.__code__ = original
                seen = watcher.observe(target, call)
                if seen is None or "late" in seen:
                    continue
                function.__code__ = code
                got = watcher.observe(target, call)
                function.__code__ = original
                if observe.noticed(seen, got):
                    arcs = set()
                    if json.dumps(watcher.observe(target, call, arcs)) == json.dumps(seen):
                        tell([call.args, call.kwargs, call.receiver, call.before, seen, sorted(arcs)])
                        return

        answers = child(work, seconds + 2)
        return entry_of(answers[0]) if answers else None

    def function_of(self, mutant):
        value = self.module
        for name in mutant.function.split("."):
            value = inspect.getattr_static(value, name, None)
            value = getattr(value, "__func__", value)
            if isinstance(value, property):
                value = value.fget
            if value is None:
                return None
            if inspect.isfunction(value):
                value = inspect.unwrap(value)
                break
        return value if inspect.isfunction(value) and value.__code__.co_filename == self.path and "." not in mutant.function.replace(value.__qualname__, "") else None

    def chosen(self, target, found, own_mutants, until):
        """The fewest of the calls that reach every step and notice every mutant that any of them notices."""
        found = sorted(found, key=plainness)
        kept, reached = [], set()
        # Errors that nobody meant tell little: they are kept only for lines that nothing else reaches.
        meant = [entry for entry in found if entry[1]["outcome"][0] != "raises" or entry[1]["outcome"][3]]
        for entries, part in ((meant, 2), (found, 3)):
            reached = set().union(*[entry[part] for entry in kept])
            while entries:
                best = max(entries, key=lambda entry: (len(entry[part] - reached), -plainness(entry)[1]))
                if not best[part] - reached:
                    break
                kept.append(best)
                reached |= best[part]
        if kept:
            found = meant + [entry for entry in found if entry not in meant][:6]
        parameters, methods = self.parameters(target), self.methods(target)
        receivers = self.first(target, parameters)[1]
        killed, judged, survivors = 0, 0, []
        ready = []
        for mutant in own_mutants:
            exchanged = self.changed_code(mutant)
            if exchanged is not None:
                ready.append((mutant, *exchanged))
        for start in range(0, len(ready), 24):
            if time.monotonic() > until:
                break
            part = list(enumerate(ready))[start : start + 24]
            entries, answers = self.judge(target, part, kept, found)
            begun = {answer[0] for answer in answers}
            ended = {answer[0]: answer[1] for answer in answers if len(answer) == 2}
            judged += len(begun)
            for number in begun:
                if number not in ended or ended[number] is not None:
                    killed += 1
                else:
                    survivors.append(ready[number])
                index = ended.get(number)
                if index is not None and entries[index] not in kept:
                    kept.append(entries[index])
        for turn, (mutant, function, code) in enumerate(survivors):
            left = until - time.monotonic()
            if left < 0.3:
                break
            entries = [entry for entry in kept + found if mutant.line in entry[3]][:30]
            # An earlier find may notice this one too.
            again = self.judge(target, [(0, (mutant, function, code))], kept, [])[1] if turn else []
            if [0, None] not in again and len(again) > 1:
                killed += 1
                continue
            seconds = min(1.0, left / (len(survivors) - turn))
            new = self.hunt(target, mutant, function, code, entries, parameters, methods, receivers, seconds)
            if new is not None:
                killed += 1
                kept.append(new)
        return kept, judged, killed

    # Properties.

    def properties(self, results):
        """Laws that hold for everything that was seen: a way there and back, doing it twice, keeping what is in it."""
        singles = {}
        for target, found in results:
            if target.kind == "function" and not inspect.iscoroutinefunction(target.function):
                singles[target.name] = [(call.args[0], seen) for call, seen, _, _ in found if len(call.args) == 1 and not call.kwargs and seen["outcome"][0] == "returns" and seen["outcome"][1][0] == "eq" and "changed" not in seen]
        tests, late = [], max(self.until, time.monotonic() + 0.1 * self.plan["seconds"])

        def holds(lines, texts):
            def work(tell):
                watcher = Watcher(self.module, self.path, 2.0)
                good = []
                for text in texts:
                    try:
                        signal.setitimer(signal.ITIMER_REAL, 1.0)
                        if eval(lines, dict(watcher.space, value=watcher.value(text))) is True:
                            good.append(text)
                    except BaseException:
                        pass
                    signal.setitimer(signal.ITIMER_REAL, 0)
                tell(good)

            answers = child(work, 10)
            return answers[0] if answers else []

        def add(name, law, texts, least, trivial=None):
            texts = list(dict.fromkeys(text for text in texts if len(text) < 120))[:12]
            if len(texts) < least or time.monotonic() > late:
                return
            good = holds(law, texts)
            if len(good) >= least and len(good) == len(texts) and (trivial is None or len(holds(trivial, texts)) < len(texts) / 2):
                tests.append((name, law, good[:8]))

        for name, seen in singles.items():
            texts = [text for text, _ in seen]
            if len({one["outcome"][1][1] for _, one in seen}) < 3:
                continue
            for there, back in PAIRS:
                other = name.replace(there, back)
                if there in name and other != name and other in singles:
                    add("%s_undoes_%s" % (other, name), "%s(%s(value)) == value" % (other, name), texts, 3, "%s(value) == value" % name)
            add("%s_twice_is_once" % name, "%s(%s(value)) == %s(value)" % (name, name, name), texts, 4, "%s(value) == value or type(%s(value)) is not type(value)" % (name, name))
            lists = [text for text in texts if text.startswith("[")]
            add("%s_keeps_the_elements" % name, "sorted(%s(value)) == sorted(value)" % name, lists, 3, "%s(value) == value" % name)
            add("%s_is_in_order" % name, "all(a <= b for a, b in zip(%s(value), %s(value)[1:]))" % (name, name), lists, 4, "sorted(value) == value")
        return tests[:12]


def main():
    with open(os.path.join(HERE, "plan.json")) as file:
        plan = json.load(file)
    if plan.get("shown_at"):
        from runner import lay_out

        lay_out(plan["shown_at"], plan["left_out"])
    os.chdir(ROOT)
    sys.path.insert(1, os.path.normpath(os.path.join(ROOT, plan["source_root"])))
    started = time.monotonic()
    try:
        generator = Generator(plan)
    except BaseException as error:
        say(error="%s cannot be imported: %s: %s" % (plan["module"], type(error).__name__, error))
        return
    generator.until = started + plan["seconds"]
    targets = generator.targets()
    if not targets:
        say(error="nothing to test in %s: no public functions or classes%s" % (plan["path"], " of these names" if plan["functions"] else ""))
        return
    budget = plan["seconds"]
    results, flaky = [], 0
    share = budget * 0.4 / len(targets)
    for target in targets:
        found = generator.search(target, max(0.15, min(share, 6.0)))
        found, lost = generator.steady(target, found)
        flaky += lost
        results.append((target, found))
    everything = mutants.mutants_of(generator.text)
    left = max(1.0, generator.until - time.monotonic() - 0.1 * budget)
    until = time.monotonic() + left
    final, judged, killed, taken = [], 0, 0, set()
    # Those with little to judge first: what they leave of their time is for the others.
    results.sort(key=lambda result: len(set().union(*[entry[3] for entry in result[1]])) if result[1] else 0)
    for number, (target, found) in enumerate(results):
        lines = set().union(*[entry[3] for entry in found]) if found else set()
        own = [mutant for mutant in everything if mutant.line in lines and (mutant.start, mutant.new) not in taken]
        own = mutants.spread(own, 400)
        slot = time.monotonic() + (until - time.monotonic()) / (len(results) - number)
        kept, count, dead = generator.chosen(target, found, own, slot)
        taken.update((mutant.start, mutant.new) for mutant in own)
        judged, killed = judged + count, killed + dead
        final.append((target, kept))
    final.sort(key=lambda result: targets.index(result[0]))
    from suite import Suite

    suite = Suite(generator, final, generator.properties(results), plan["style"])
    dropped = suite.verify()
    lines = body_lines(generator, targets)
    reached = set().union(*[entry[3] for _, kept in final for entry in kept]) if final else set()
    say(
        text=suite.text(),
        tests=suite.count(),
        properties=suite.properties_count(),
        functions=len(targets),
        lines=len(lines),
        covered=len(lines & reached),
        mutants=judged,
        killed=killed,
        flaky=flaky + dropped,
    )


def body_lines(generator, targets):
    """The lines of code in the functions that are tested, their first lines aside."""
    found = set()
    code = compile(generator.text, generator.path, "exec", dont_inherit=True)
    waiting = [code]
    wanted = {target.owner or target.name for target in targets}
    spans = [(node.lineno, node.end_lineno) for name, node in generator.nodes.items() if name in wanted]
    while waiting:
        code = waiting.pop()
        for part in code.co_consts:
            if inspect.iscode(part):
                waiting.append(part)
                if part.co_flags & inspect.CO_OPTIMIZED and part.co_name != "<lambda>":
                    own = {line for _, _, line in part.co_lines() if line and line != part.co_firstlineno}
                    found.update(line for line in own if any(first <= line <= last for first, last in spans))
    return found


def say(**fields):
    with open(os.path.join(HERE, "result.jsonl"), "a") as file:
        file.write(json.dumps(fields) + "\n")


if __name__ == "__main__":
    main()
