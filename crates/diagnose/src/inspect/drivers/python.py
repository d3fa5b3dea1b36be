"""Runs a Python program under the interpreter's own debugger and obeys commands: one JSON object a line, in and out.

The program's own output goes to stderr, its input comes from a file, so that nothing it prints is taken for an answer.
"""
import bdb
import json
import os
import sys

FRAMES = 50
STDIN = "formicary-stdin"


class Line:
    """The line to whoever commands."""

    def __init__(self):
        self.ears = os.fdopen(os.dup(0), "r", encoding="utf-8", errors="replace")
        self.mouth = os.fdopen(os.dup(1), "w", encoding="utf-8", errors="backslashreplace")
        given = os.open(STDIN if os.path.exists(STDIN) else os.devnull, os.O_RDONLY)
        os.dup2(given, 0)
        os.dup2(2, 1)
        os.close(given)

    def say(self, **message):
        self.mouth.write(json.dumps(message) + "\n")
        self.mouth.flush()

    def hear(self):
        text = self.ears.readline()
        return json.loads(text) if text else {"do": "quit", "id": 0}


def lines_of(code):
    found = {line for _, _, line in code.co_lines() if line} if hasattr(code, "co_lines") else set()
    for constant in code.co_consts:
        if type(constant) is type(code):
            found |= lines_of(constant)
    return found


def functions_of(code, path=""):
    for constant in code.co_consts:
        if type(constant) is type(code):
            name = path + constant.co_name
            yield name, constant
            yield from functions_of(constant, name + ".")


class Inspector(bdb.Bdb):
    def __init__(self, line, entry):
        super().__init__()
        self.line, self.entry, self.home = line, entry, os.getcwd()
        self.logs, self.conditions, self.raised, self.running = {}, {}, False, False
        self.codes = {}

    def own(self, frame):
        name = frame.f_code.co_filename
        return name.startswith(self.home + "/") and name != OWN

    # What the interpreter tells.
    def user_line(self, frame):
        if not self.own(frame):
            self.set_step() if self.stepping else self.set_continue()
            return
        place = (self.canonic(frame.f_code.co_filename), frame.f_lineno)
        if place in self.logs and self.break_here(frame):
            self.line.say(event="log", text=self.filled(self.logs[place], frame))
            if not self.stepping:
                self.set_continue()
                return
        reason = "breakpoint" if self.get_breaks(*place) else "step"
        self.stop(reason, "", frame)

    def user_exception(self, frame, info):
        if self.raised and self.own(frame):
            kind, error, _ = info
            self.stop("exception", f"{NAME(kind)}: {cut(message_of(error))}", frame)

    def dispatch_exception(self, frame, argument):
        # Only what the caller asked for; otherwise an exception on its way out is none of ours.
        if self.raised:
            return super().dispatch_exception(frame, argument)
        return self.trace_dispatch

    # Stopping and obeying.
    def stop(self, reason, text, frame=None, frames=None):
        frames = frames if frames is not None else self.stack_of(frame)
        told = [{"function": f.f_code.co_name, "file": self.name_of(f), "line": number, "own": self.own(f),
                 "variables": variables_of(f) if self.own(f) else []} for f, number in frames[:FRAMES]]
        self.line.say(event="stopped", reason=reason, text=text, frames=told)
        while True:
            command = self.line.hear()
            do = command.get("do")
            if do in ("continue", "next", "step", "out"):
                self.stepping = do != "continue"
                self.line.say(id=command.get("id"), ok=True)
                if frame is not None:
                    {"continue": self.set_continue, "step": self.set_step,
                     "next": lambda: self.set_next(frame), "out": lambda: self.set_return(frame)}[do]()
                return
            self.obey(command, frames)

    def stack_of(self, frame):
        found = []
        while frame is not None and frame.f_code.co_filename != OWN and len(found) < FRAMES:
            if not frame.f_code.co_filename.endswith("/bdb.py"):
                found.append((frame, frame.f_lineno))
            frame = frame.f_back
        return found

    def obey(self, command, frames):
        do, number = command.get("do"), command.get("id")
        try:
            if do == "quit":
                self.line.say(id=number, ok=True)
                os._exit(0)
            elif do == "break":
                self.line.say(id=number, ok=True, line=self.put_break(command))
            elif do == "catch":
                self.raised = command.get("what") == "raised"
                self.line.say(id=number, ok=True)
            elif do == "evaluate":
                frame = frames[int(command.get("frame") or 0)][0]
                value = eval(command["expression"], frame.f_globals, frame.f_locals)
                self.line.say(id=number, ok=True, value=cut(shown(value)), type=NAME(type(value)))
            else:
                self.line.say(id=number, error=f"unknown command {do!r}")
        except BaseException as error:
            self.line.say(id=number, error=f"{NAME(type(error))}: {cut(message_of(error))}")

    def put_break(self, command):
        wanted = command.get("function")
        if wanted:
            for path in sorted(self.sources()):
                for name, code in functions_of(self.code_of(path)):
                    if name == wanted or name.endswith("." + wanted):
                        body = sorted(n for n in lines_of(code) if n > code.co_firstlineno)
                        return self.set(path, body[0] if body else code.co_firstlineno, command)
            raise NameError(f"no function {wanted!r} in the program's own files")
        path = os.path.abspath(command.get("file") or self.entry)
        if not os.path.isfile(path):
            raise FileNotFoundError(f"no file {command.get('file')!r} in the program")
        number = int(command["line"])
        line = min((n for n in lines_of(self.code_of(path)) if n >= number), default=None)
        if line is None:
            raise ValueError(f"nothing is executed at or after line {number}")
        return self.set(path, line, command)

    def set(self, path, line, command):
        complaint = self.set_break(path, line, cond=command.get("condition") or None)
        if complaint:
            raise ValueError(complaint)
        if command.get("log"):
            self.logs[(self.canonic(path), line)] = command["log"]
        return line

    def code_of(self, path):
        if path not in self.codes:
            with open(path, "rb") as source:
                self.codes[path] = compile(source.read(), path, "exec")
        return self.codes[path]

    def sources(self):
        for folder, _, names in os.walk(self.home):
            for name in names:
                path = os.path.join(folder, name)
                if name.endswith(".py") and path != OWN:
                    yield path

    def filled(self, text, frame):
        parts, rest = [], text
        while "{" in rest:
            before, _, rest = rest.partition("{")
            expression, _, rest = rest.partition("}")
            try:
                value = eval(expression, frame.f_globals, frame.f_locals)
                parts += [before, value if type(value) is str else shown(value)]
            except BaseException as error:
                parts += [before, f"<{NAME(type(error))}>"]
        return cut("".join(parts) + rest)

    def name_of(self, frame):
        name = frame.f_code.co_filename
        return os.path.relpath(name, self.home) if name.startswith(self.home + "/") else name


def message_of(error):
    arguments = BaseException.__dict__["args"].__get__(error)
    return ", ".join(a if type(a) is str else shown(a) for a in arguments)


def begin(line, inspector):
    """Takes commands until the program may run."""
    while True:
        command = line.hear()
        if command.get("do") == "continue":
            line.say(id=command.get("id"), ok=True)
            return
        inspector.obey(command, [])


def main():
    line = Line()
    entry = os.path.abspath(sys.argv[1])
    sys.argv = sys.argv[1:]
    sys.path[0] = os.path.dirname(entry)
    sys.stdin = os.fdopen(0, "r", closefd=False)
    sys.stdout = os.fdopen(1, "w", 1, closefd=False)
    inspector = Inspector(line, entry)
    inspector.stepping = False
    line.say(event="ready")
    begin(line, inspector)
    module = type(sys)("__main__")
    module.__dict__.update({"__file__": entry, "__builtins__": __builtins__})
    sys.modules["__main__"] = module
    code = 0
    try:
        with open(entry, "rb") as source:
            program = compile(source.read(), entry, "exec")
        inspector.reset()
        sys.settrace(inspector.trace_dispatch)
        inspector._set_stopinfo(None, None, -1)
        try:
            exec(program, module.__dict__)
        finally:
            sys.settrace(None)
    except SystemExit as end:
        code = end.code if type(end.code) is int else (0 if end.code is None else 1)
    except BaseException as error:
        import traceback
        sys.stdout.flush()
        traceback.print_exception(type(error), error, error.__traceback__.tb_next, file=sys.stderr)
        trace, frames = error.__traceback__, []
        while trace is not None:
            frames.append((trace.tb_frame, trace.tb_lineno))
            trace = trace.tb_next
        frames = [one for one in reversed(frames) if one[0].f_code.co_filename != OWN and not one[0].f_code.co_filename.endswith("/bdb.py")]
        inspector.stop("exception", f"{NAME(type(error))}: {cut(message_of(error))}", None, frames)
        code = 1
    sys.stdout.flush()
    line.say(event="exited", code=code)
    os._exit(code)


OWN = os.path.abspath(__file__)
main()
