"""Runs a program and, where an exception ends it, writes the local variables of its frames to a file."""
import json
import os
import sys
import traceback

FRAMES = 40
OUT = "formicary-crash.json"


def frame_of(trace):
    frame = trace.tb_frame
    code = frame.f_code
    return {"function": code.co_name, "file": code.co_filename, "line": trace.tb_lineno, "own": False,
            "variables": variables_of(frame)}


def write(trace, own):
    first, last = [], collections.deque(maxlen=FRAMES)
    while trace is not None:
        if trace.tb_frame.f_code.co_filename != own:
            (first if len(first) < FRAMES else last).append(trace)
        trace = trace.tb_next
    frames = [frame_of(trace) for trace in first + list(last)]
    frames.reverse()
    with open(OUT, "w") as out:
        json.dump(frames, out)


def main():
    own = __file__
    sys.argv = sys.argv[1:]
    entry = sys.argv[0]
    sys.path[0] = os.path.dirname(os.path.abspath(entry))
    with open(entry, "rb") as source:
        code = compile(source.read(), os.path.abspath(entry), "exec")
    scope = {"__name__": "__main__", "__file__": os.path.abspath(entry), "__builtins__": __builtins__}
    module = type(sys)("__main__")
    module.__dict__.update(scope)
    sys.modules["__main__"] = module
    try:
        exec(code, module.__dict__)
    except SystemExit:
        raise
    except BaseException:
        kind, error, trace = sys.exc_info()
        write(trace, own)
        traceback.print_exception(kind, error, trace)
        sys.stdout.flush()
        os._exit(1)


main()
