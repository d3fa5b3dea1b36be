"""Which lines of a project's files are reached, without any package."""

import os
import sys
import threading
import types

# How many levels of calls are still free when an interpreter that only has `sys.settrace` is near its recursion limit: more
# than what runs between two frames takes, and what a trace function takes itself.
NEAR = 24
# How many frames a program may still enter from there, as many as it could without being watched.
STILL = 20
# What the limit is raised by meanwhile, so that every frame can be watched.
ROOM = 400


def nested(levels):
    value = 0
    for _ in range(levels):
        value = (value,)
    return value


ONE, OTHER = nested(NEAR), nested(NEAR)


def lines_of(code):
    """The lines of a code object and of all inside it that hold something to execute."""
    found, waiting = set(), [code]
    while waiting:
        code = waiting.pop()
        found.update(line for _, _, line in code.co_lines() if line)
        waiting.extend(part for part in code.co_consts if isinstance(part, types.CodeType))
    return found


class Lines:
    """Collects (file, line) for files that `wanted` accepts."""

    def __init__(self, wanted):
        self.wanted = wanted
        self.known = {}
        self.seen = set()
        self.tool = None
        self.edge = None

    def _is_wanted(self, name):
        known = self.known.get(name)
        if known is None:
            known = self.known[name] = bool(self.wanted(name))
        return known

    def start(self):
        if sys.version_info >= (3, 12):
            monitoring = sys.monitoring
            self.tool = next((tool for tool in (3, 4, 1, 2) if monitoring.get_tool(tool) is None), None)
            if self.tool is not None:
                monitoring.use_tool_id(self.tool, "formicary")
                monitoring.register_callback(self.tool, monitoring.events.LINE, self._line)
                monitoring.set_events(self.tool, monitoring.events.LINE)
                return
        self.tool = None
        threading.settrace(self._call)
        sys.settrace(self._call)

    def again(self):
        """Begins anew where the interpreter gave up: it drops a trace function that meets the recursion limit."""
        self._leave()
        if self.tool is None and sys.gettrace() is None:
            sys.settrace(self._call)

    def begin(self):
        """Forgets what was reached so far."""
        self.seen.clear()
        if self.tool is not None:
            sys.monitoring.restart_events()
        self.again()

    def stop(self):
        self._leave()
        if self.tool is not None:
            sys.monitoring.set_events(self.tool, 0)
            sys.monitoring.free_tool_id(self.tool)
            return
        sys.settrace(None)
        threading.settrace(None)

    def _line(self, code, line):
        name = code.co_filename
        wanted = self.known.get(name)
        try:
            if wanted is None:
                wanted = self._is_wanted(name)
        except RecursionError:
            # Asked again at the next line, which may have more room.
            return None
        if wanted:
            self.seen.add((name, line))
        return sys.monitoring.DISABLE

    def _call(self, frame, event, argument):
        if self.edge is None:
            try:
                # Compared level by level, without any frame.
                ONE == OTHER
            except RecursionError:
                return self._enter(frame)
        elif self.edge[0] == threading.get_ident() and self._is_too_deep(frame):
            return self._refuse
        return self._watch(frame)

    def _watch(self, frame):
        name = frame.f_code.co_filename
        if not self._is_wanted(name):
            return None
        self.seen.add((name, frame.f_lineno))
        seen = self.seen

        def local(frame, event, argument):
            if event == "line":
                seen.add((name, frame.f_lineno))
            return local

        return local

    def _enter(self, frame):
        """Near the limit the interpreter would drop the trace function, and with it the lines of whoever catches the error.
        There is room for it from here on, and the program is refused what it would have been refused anyway."""
        limit = sys.getrecursionlimit()
        self.edge = (threading.get_ident(), frame, limit)
        sys.setrecursionlimit(limit + ROOM)
        watch = self._watch(frame)

        def local(frame, event, argument):
            if watch is not None:
                watch(frame, event, argument)
            if event == "return":
                self._leave()
            return local

        return local

    def _leave(self):
        if self.edge is None:
            return
        limit = self.edge[2]
        self.edge = None
        if sys.getrecursionlimit() == limit + ROOM:
            try:
                sys.setrecursionlimit(limit)
            except RecursionError:
                pass

    def _is_too_deep(self, frame):
        edge = self.edge[1]
        for _ in range(STILL):
            if frame is edge or frame is None:
                return False
            frame = frame.f_back
        return True

    def _refuse(self, frame, event, argument):
        if event != "line":
            return self._refuse
        # An error takes the trace function along; the profile function hears of the end of this frame, before anybody
        # catches the error.
        if sys.getprofile() is None:
            sys.setprofile(self._return)
        raise RecursionError("maximum recursion depth exceeded")

    def _return(self, frame, event, argument):
        sys.setprofile(None)
        sys.settrace(self._call)

    def report(self, root):
        """For each file that was wanted and seen: its lines of code and those that were reached."""
        found = {}
        for name in sorted({name for name, _ in self.seen}):
            try:
                with open(name, "rb") as file:
                    whole = lines_of(compile(file.read(), name, "exec", dont_inherit=True))
            except (OSError, SyntaxError, ValueError):
                continue
            reached = {line for seen, line in self.seen if seen == name} & whole
            found[os.path.relpath(name, root)] = [len(whole), len(reached), sorted(whole - reached)]
        return found
