"""Runs a program and, where an exception ends it, writes the local variables of its frames to a file."""

def main():
    own = __file__
    sys.argv = sys.argv[1:]
    entry = sys.argv[0]
    sys.path[0] = os.path.dirname(os.path.abspath(entry))
    with open(entry, "rb") as source:
        code = compile(source.read(), os.path.abspath(entry), "exec")
    scope = {"__name__": "__main__", "__file__": os.path.abspath(entry), "__builtins__": builtins}
    module = type(sys)("__main__")
    module.__dict__.update(scope)
    sys.modules["__main__"] = module
    try:
        exec(code, module.__dict__)
    except SystemExit:
        raise
    except BaseException:
        kind, error, trace = sys.exc_info()
        builtins.__dict__.update(__builtins__)
        write(trace, own)
        traceback.print_exception(kind, error, trace)
        sys.stdout.flush()
        os._exit(1)


main()
