"""Judges tests that somebody else proposes as our own are judged: kept is what always passes and tells something new.

    python3 suggested.py        inside the sandbox; reads plan.json beside it, writes one JSON object a line to result.jsonl
"""

import ast
import importlib.machinery
import json
import os
import sys
import time

HERE = os.path.dirname(os.path.abspath(__file__))
ROOT = os.path.dirname(HERE)
sys.path.insert(0, HERE)
import line_coverage
import mutants
from mutate import pooled, within
from runner import lay_out
from suite import loaded, passing

SEEDS = ("0", "1", "4242")


def say(**fields):
    with open(os.path.join(HERE, "result.jsonl"), "a") as file:
        file.write(json.dumps(fields) + "\n")


class Parts:
    """A file of tests, taken apart: what it imports, what its tests need, its tests by name."""

    def __init__(self, text):
        self.imports, self.helpers, self.tests, self.unfit = [], [], {}, 0
        lines = text.splitlines()
        for node in ast.parse(text).body:
            first = min([node.lineno] + [part.lineno for part in getattr(node, "decorator_list", [])])
            source = "\n".join(lines[first - 1 : node.end_lineno])
            if isinstance(node, (ast.Import, ast.ImportFrom)):
                if getattr(node, "module", None) != "__future__":
                    self.imports.append(source)
            elif isinstance(node, ast.FunctionDef) and node.name.startswith("test"):
                self.tests[node.name] = source
                # Who runs them here knows no fixtures but one.
                arguments = [argument.arg for argument in node.args.args]
                if arguments and arguments != ["capsys"] and not node.decorator_list:
                    self.unfit += 1
                    del self.tests[node.name]
            elif isinstance(node, ast.ClassDef) and node.name.startswith("Test"):
                self.unfit += 1
            elif not (isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant)):
                self.helpers.append(source)


def put_together(title, *parts, only=None):
    """One file of several; a test whose name is taken gets another."""
    imports, helpers, tests = [], [], []
    taken = set()
    for part in parts:
        imports += [line for line in part.imports if line not in imports]
        helpers += [source for source in part.helpers if source not in helpers]
        for name, source in part.tests.items():
            if only is not None and part is parts[-1] and name not in only:
                continue
            new, number = name, 2
            while new in taken:
                new, number = "%s_%d" % (name, number), number + 1
            taken.add(new)
            tests.append(source.replace("def %s(" % name, "def %s(" % new, 1))
    head = ['"""%s"""' % title, ""] + imports + (["", *helpers] if helpers else [])
    return "\n".join(head) + "".join("\n\n\n" + source for source in tests) + "\n"


class Judge:
    def __init__(self, plan):
        self.plan = plan
        self.until = time.monotonic() + plan["seconds"]
        self.path = os.path.join(ROOT, plan["path"])
        with open(self.path, "rb") as file:
            self.text = file.read()

    def file(self, name, text):
        path = os.path.join(HERE, name)
        with open(path, "w") as file:
            file.write(text)
        return path

    def always(self, path):
        """The tests that pass in every interpreter, and how many passed in some only."""
        runs = [passing(path, self.plan["source_root"], seed) for seed in SEEDS]
        return set.intersection(*runs), len(set.union(*runs) - set.intersection(*runs))

    def reached(self, path, names):
        """The lines inside functions that each test reaches."""
        whole = line_coverage.lines_of(compile(self.text, self.path, "exec", dont_inherit=True))

        def work(name):
            def run(tell):
                lines = line_coverage.Lines(lambda own: os.path.abspath(own) == self.path)
                tests = loaded(path)
                lines.start()
                try:
                    tests[name]()
                finally:
                    lines.stop()
                    tell(sorted(line for _, line in lines.seen))

            return run

        found = {}
        for name, answers, _ in pooled(((name, work(name), 10.0) for name in names), self.plan["workers"]):
            found[name] = set(answers[-1]) & whole if answers else set()
        return found

    def notices(self, path, names, mutant):
        """Runs tests on a mutant until one fails."""
        changed = mutant.applied(self.text)

        def run(tell):
            plain = importlib.machinery.SourceFileLoader.get_data

            def get_data(loader, name):
                return changed if os.path.abspath(name) == self.path else plain(loader, name)

            importlib.machinery.SourceFileLoader.get_data = get_data
            try:
                tests = loaded(path)
                for name in names:
                    tests[name]()
            except BaseException:
                tell("noticed")
                os._exit(0)
            tell("survived")

        return run

    def survivors(self, path, lines, wanted):
        """Of (key, mutant) those that no test of a file notices."""
        works, left = [], []
        for key, mutant in wanted:
            names = [name for name, own in lines.items() if mutant.line in own]
            if not names:
                left.append((key, mutant))
            else:
                works.append(((key, mutant), self.notices(path, names, mutant), 6.0))
        for (key, mutant), answers, late in pooled(self.in_time(works), self.plan["workers"]):
            if not late and answers and answers[-1] == "survived":
                left.append((key, mutant))
        return left

    def in_time(self, works):
        for work in works:
            if time.monotonic() > self.until:
                return
            yield work


def main():
    with open(os.path.join(HERE, "plan.json")) as file:
        plan = json.load(file)
    if plan["shown_at"]:
        lay_out(plan["shown_at"], plan["left_out"])
    os.chdir(ROOT)
    sys.dont_write_bytecode = True
    for folder in ("src", plan["source_root"], "."):
        sys.path.insert(0, os.path.normpath(os.path.join(ROOT, folder)))
    judge = Judge(plan)
    try:
        proposed = Parts(plan["suggested"])
    except (SyntaxError, ValueError) as error:
        say(error="the proposed tests are not Python: %s" % error)
        return
    base = Parts(plan["base"])
    title = "Tests of %s: what it does today. Written by formicary tests generate." % plan["module"]
    own_path = judge.file("own_tests.py", put_together(title, base))
    new_path = judge.file("new_tests.py", put_together(title, proposed))
    own, _ = judge.always(own_path)
    new, flaky = judge.always(new_path)
    own_lines, new_lines = judge.reached(own_path, sorted(own)), judge.reached(new_path, sorted(new))
    everything = [mutant for mutant in mutants.mutants_of(judge.text) if within(plan["functions"], mutant.function)]
    everything = list(enumerate(mutants.spread(everything, plan["most"])))
    left = judge.survivors(own_path, own_lines, everything)
    kills = {name: set() for name in new}
    works = [((name, key), judge.notices(new_path, [name], mutant), 6.0) for key, mutant in left for name in sorted(new) if mutant.line in new_lines[name]]
    for (name, key), answers, late in pooled(judge.in_time(works), plan["workers"]):
        if late or not answers or answers[-1] == "noticed":
            kills[name].add(key)
    covered = set().union(*own_lines.values()) if own_lines else set()
    kept, dead = [], set()
    # What tells most comes first, so that the rest has less to add.
    for name in sorted(new, key=lambda name: (-len(kills[name]) - len(new_lines[name] - covered), name)):
        if kills[name] - dead or new_lines[name] - covered:
            kept.append(name)
            dead |= kills[name]
            covered |= new_lines[name]
    survived = [mutant for key, mutant in left if key not in dead]
    say(
        text=put_together(title, base, proposed, only=set(kept)),
        tests=len(own) + len(kept),
        kept=len(kept),
        proposed=len(proposed.tests) + proposed.unfit,
        unfit=proposed.unfit,
        failing=len(proposed.tests) - len(new) - flaky,
        flaky=flaky,
        mutants=len(everything),
        killed=len(everything) - len(survived),
        survivors=["line %d\n%s" % (mutant.line, mutant.diff(judge.text)) for mutant in survived[:12]],
    )


if __name__ == "__main__":
    main()
