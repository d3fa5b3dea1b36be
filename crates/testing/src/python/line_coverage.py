"""Which lines of a project's files are reached, without any package."""

import os
import sys
import threading
import types


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
        if self.tool is None and sys.gettrace() is None:
            sys.settrace(self._call)

    def stop(self):
        if self.tool is not None:
            sys.monitoring.set_events(self.tool, 0)
            sys.monitoring.free_tool_id(self.tool)
            return
        sys.settrace(None)
        threading.settrace(None)

    def _line(self, code, line):
        if self._is_wanted(code.co_filename):
            self.seen.add((code.co_filename, line))
        return sys.monitoring.DISABLE

    def _call(self, frame, event, argument):
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
