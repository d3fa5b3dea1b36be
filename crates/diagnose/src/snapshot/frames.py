"""Writes the frames of a traceback with their local variables to a file."""
import json
import os
import sys
import traceback

FRAMES = 40
OUT = "formicary-crash.json"
ROOT = os.getcwd()


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
    # The program may have changed its working directory.
    with open(os.path.join(ROOT, OUT), "w") as out:
        json.dump(frames, out)
