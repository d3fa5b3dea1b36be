"""Small changes of a Python file, one at a time, inside its functions."""

import ast
import copy

COMPARISONS = {
    ast.Lt: [ast.LtE, ast.Gt],
    ast.LtE: [ast.Lt, ast.GtE],
    ast.Gt: [ast.GtE, ast.Lt],
    ast.GtE: [ast.Gt, ast.LtE],
    ast.Eq: [ast.NotEq],
    ast.NotEq: [ast.Eq],
    ast.Is: [ast.IsNot],
    ast.IsNot: [ast.Is],
    ast.In: [ast.NotIn],
    ast.NotIn: [ast.In],
}
OPERATORS = {
    ast.Add: ast.Sub,
    ast.Sub: ast.Add,
    ast.Mult: ast.FloorDiv,
    ast.Div: ast.Mult,
    ast.FloorDiv: ast.Mult,
    ast.Mod: ast.Mult,
    ast.Pow: ast.Mult,
    ast.BitAnd: ast.BitOr,
    ast.BitOr: ast.BitAnd,
    ast.BitXor: ast.BitAnd,
    ast.LShift: ast.RShift,
    ast.RShift: ast.LShift,
}


class Mutant:
    """One change: bytes `start` to `end` of the text become `new`."""

    def __init__(self, kind, line, start, end, new, function, top):
        self.kind, self.line, self.start, self.end, self.new = kind, line, start, end, new
        self.function, self.top = function, top

    def applied(self, text):
        return text[: self.start] + self.new.encode() + text[self.end :]

    def diff(self, text):
        """The lines as they were and as they become."""
        first = text.rfind(b"\n", 0, self.start) + 1
        last = text.find(b"\n", self.end)
        last = len(text) if last < 0 else last
        before = text[first:last].decode(errors="replace").splitlines()
        after = (text[first : self.start] + self.new.encode() + text[self.end : last]).decode(errors="replace").splitlines()
        return "\n".join(["-" + line for line in before] + ["+" + line for line in after])


class Finder(ast.NodeVisitor):
    def __init__(self, text):
        self.text = text
        self.starts = [0]
        for line in text.splitlines(keepends=True):
            self.starts.append(self.starts[-1] + len(line))
        self.found = []
        self.functions = []
        self.top = 0

    def offset(self, line, column):
        return self.starts[line - 1] + column

    def add(self, kind, node, new, line=None):
        if not self.functions:
            return
        start = self.offset(node.lineno, node.col_offset)
        end = self.offset(node.end_lineno, node.end_col_offset)
        if self.text[start:end].decode(errors="replace") != new:
            self.found.append(Mutant(kind, line or node.lineno, start, end, new, ".".join(self.functions), self.top))

    def replaced(self, kind, node, **changes):
        new = copy.copy(node)
        for name, value in changes.items():
            setattr(new, name, value)
        self.add(kind, node, "(%s)" % ast.unparse(ast.fix_missing_locations(new)))

    # Where nothing is changed: names of types, texts for people, what guards itself.

    def visit_Module(self, node):
        for index, statement in enumerate(node.body):
            self.top = index
            self.visit(statement)

    def scope(self, node):
        self.functions.append(node.name)
        for statement in body_of(node):
            self.visit(statement)
        self.functions.pop()

    visit_FunctionDef = visit_AsyncFunctionDef = scope

    def visit_ClassDef(self, node):
        if self.functions:
            return self.scope(node)
        for statement in node.body:
            if isinstance(statement, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)):
                self.functions.append(node.name)
                self.visit(statement)
                self.functions.pop()

    def visit_AnnAssign(self, node):
        if node.value is not None:
            self.visit(node.value)

    def visit_JoinedStr(self, node):
        for part in node.values:
            if isinstance(part, ast.FormattedValue) and sys_has_places():
                self.visit(part.value)

    def visit_If(self, node):
        if "TYPE_CHECKING" in ast.dump(node.test):
            return
        self.condition(node.test)
        self.generic_visit(node)

    def visit_While(self, node):
        if not isinstance(node.test, ast.Constant):
            self.condition(node.test)
        self.generic_visit(node)

    def visit_IfExp(self, node):
        self.condition(node.test)
        self.generic_visit(node)

    def condition(self, test):
        if not isinstance(test, (ast.Compare, ast.UnaryOp)):
            self.add("condition", test, "(not (%s))" % ast.unparse(test))

    def visit_Assert(self, node):
        self.visit(node.test)

    # What is changed.

    def visit_Compare(self, node):
        for index, operator in enumerate(node.ops):
            for other in COMPARISONS.get(type(operator), []):
                ops = list(node.ops)
                ops[index] = other()
                self.replaced("comparison", node, ops=ops)
        self.generic_visit(node)

    def visit_BinOp(self, node):
        text = isinstance(node.op, ast.Mod) and isinstance(node.left, ast.Constant) and isinstance(node.left.value, str)
        other = OPERATORS.get(type(node.op))
        if other is not None and not text:
            self.replaced("operator", node, op=other())
        self.generic_visit(node)

    def visit_BoolOp(self, node):
        self.replaced("operator", node, op=ast.And() if isinstance(node.op, ast.Or) else ast.Or())
        self.generic_visit(node)

    def visit_UnaryOp(self, node):
        if isinstance(node.op, (ast.Not, ast.USub, ast.Invert)) and not isinstance(node.operand, ast.Constant):
            self.add("operator", node, "(%s)" % ast.unparse(node.operand))
        elif isinstance(node.op, ast.USub):
            self.add("constant", node, "(%s)" % ast.unparse(node.operand))
            return
        self.generic_visit(node)

    def visit_Constant(self, node):
        value = node.value
        if value is True or value is False:
            self.add("constant", node, str(not value))
        elif isinstance(value, (int, float)):
            self.add("constant", node, repr(value + 1))
        elif isinstance(value, str) and node.lineno == node.end_lineno:
            self.add("constant", node, repr("XX%sXX" % value if value else "XX"))

    def visit_AugAssign(self, node):
        other = OPERATORS.get(type(node.op))
        if other is not None:
            new = ast.AugAssign(node.target, other(), node.value)
            self.add("operator", node, ast.unparse(ast.fix_missing_locations(new)))
        self.add("statement", node, "pass")
        self.visit(node.value)

    def visit_Return(self, node):
        if node.value is not None and not (isinstance(node.value, ast.Constant) and node.value.value is None):
            self.add("return", node, "return None")
        self.generic_visit(node)

    def visit_Expr(self, node):
        if isinstance(node.value, ast.Constant):
            return
        if isinstance(node.value, ast.Call):
            self.add("statement", node, "pass")
        self.generic_visit(node)

    def visit_Raise(self, node):
        self.add("statement", node, "pass")
        # What an error says is for people.
        for part in ast.iter_child_nodes(node):
            if not (isinstance(part, ast.Call) and all(isinstance(a, (ast.Constant, ast.JoinedStr)) for a in part.args)):
                self.visit(part)

    def visit_Break(self, node):
        self.add("statement", node, "continue")

    def visit_Continue(self, node):
        self.add("statement", node, "break")

    def visit_Delete(self, node):
        self.add("statement", node, "pass")

    def visit_Assign(self, node):
        if any(isinstance(target, (ast.Attribute, ast.Subscript)) for target in node.targets):
            self.add("statement", node, "pass")
        self.visit(node.value)


def sys_has_places():
    """Whether parts of formatted strings know where they stand: since Python 3.12."""
    import sys

    return sys.version_info >= (3, 12)


def body_of(node):
    """The statements of a function without what is written for people."""
    body = node.body
    if body and isinstance(body[0], ast.Expr) and isinstance(body[0].value, ast.Constant):
        return body[1:]
    return body


def mutants_of(text):
    """All mutants of a file's bytes whose result still is Python, in the order of the file."""
    finder = Finder(text)
    finder.visit(ast.parse(text))
    found = []
    seen = set()
    for mutant in finder.found:
        key = (mutant.start, mutant.end, mutant.new)
        if key not in seen:
            seen.add(key)
            found.append(mutant)
    found.sort(key=lambda mutant: (mutant.start, mutant.end, mutant.new))
    return found


def spread(mutants, most):
    """At most so many of them, spread over the file."""
    if len(mutants) <= most:
        return mutants
    step = len(mutants) / most
    return [mutants[int(index * step)] for index in range(most)]


def code_of(mutant, text, path, tree):
    """The code of the function that a mutant changes; `tree` is the file as it was. Lines stay where they are."""
    statement = tree.body[mutant.top]
    first = min([statement.lineno] + [part.lineno for part in getattr(statement, "decorator_list", [])])
    following = tree.body[mutant.top + 1].lineno if mutant.top + 1 < len(tree.body) else None
    changed = mutant.applied(text).splitlines(keepends=True)
    added = len(changed) - len(text.splitlines())
    end = (statement.end_lineno + added) if following is None else max(statement.end_lineno + added, first)
    part = b"\n" * (first - 1) + b"".join(changed[first - 1 : end])
    code = compile(part, path, "exec", dont_inherit=True)
    for name in mutant.function.split("."):
        code = next((c for c in code.co_consts if hasattr(c, "co_name") and c.co_name == name), None)
        if code is None:
            return None
    return code
