"""Runs a program rewritten and, where an exception ends it, writes its variables and the chain of causes to files."""

CAUSES = "formicary-causes.json"


def innermost(trace):
    """The frame of the program's own code in which the exception arose."""
    found = None
    while trace is not None:
        if trace.tb_frame.f_code.co_filename in FILES:
            found = trace
        trace = trace.tb_next
    return found


def explained(kind, error, trace):
    trace = innermost(trace)
    name = NAME(kind)
    if trace is None or name == "RecursionError":
        return
    try:
        # `str` of an exception of the program would run its code.
        arguments = BaseException.__dict__["args"].__get__(error)
        message = arguments[0] if arguments and type(arguments[0]) is str else ""
        failure = Failure(name, message, trace.tb_frame, trace.tb_lasti)
        steps = shortened(failure.explain(), MOST_STEPS)
    except BaseException:
        return
    file = FILES[trace.tb_frame.f_code.co_filename]
    report = {"type": name, "file": file.shown, "line": trace.tb_lineno, "steps": steps}
    with open(os.path.join(ROOT, CAUSES), "w") as out:
        json.dump(report, out)


def main():
    watcher = __file__
    sys.argv = sys.argv[1:]
    entry = sys.argv[0]
    path = os.path.abspath(entry)
    sys.path[0] = os.path.dirname(path)
    with open(entry, "rb") as source:
        data = source.read()
    install()
    import importlib.util
    code = compiled(path, importlib.util.decode_source(data))
    module = type(sys)("__main__")
    module.__dict__.update({"__name__": "__main__", "__file__": path, "__builtins__": builtins})
    sys.modules["__main__"] = module
    own = os.getpid()
    try:
        exec(code, module.__dict__)
    except SystemExit:
        raise
    except BaseException:
        kind, error, trace = sys.exc_info()
        if os.getpid() != own:
            raise
        ring_off()
        # The program may have replaced what the libraries here use; it is at its end.
        builtins.__dict__.update(__builtins__)
        traceback.print_exception(kind, error, trace)
        sys.stdout.flush()
        write(trace, watcher)
        explained(kind, error, trace)
        os._exit(1)


main()
