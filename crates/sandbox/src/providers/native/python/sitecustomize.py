"""Lets an interpreter stand ready: Python loads this when it starts, before it looks at the program.

Everything that happens here has happened, without this file, when a program begins: the site's own
customization is loaded, and nothing of this one stays behind.
"""


def _stand_ready(folder, python_path, imports):
    import sys

    known = set(sys.modules)
    import gc
    import os

    if "t" in getattr(sys, "abiflags", ""):
        raise SystemExit("an interpreter without the global lock cannot stand ready")
    import _formicary

    serve = _formicary.serve
    sys.path.remove(folder)
    sys.path_importer_cache.pop(folder, None)
    for name in ("_formicary", "sitecustomize"):
        sys.modules.pop(name, None)
    _restore_environment(os, python_path)
    try:
        import sitecustomize  # the site's own, if there is one
    except ImportError as error:
        if error.name != "sitecustomize":
            raise
    has_own = "sitecustomize" in sys.modules

    for name in imports:
        try:
            __import__(name.decode())
        except Exception as error:
            raise SystemExit("import %s: %r" % (name.decode(), error))
    # Threads that an import has started would be missing in a fork. Libraries that care end theirs before one.
    if _threads() > 1:
        child = os.fork()
        if child:
            os.waitpid(child, 0)
            os._exit(1)
        if _threads() > 1:
            raise SystemExit("an interpreter with more than one thread cannot stand ready")
    # What stands now is shared with every program: the collector must not touch it, or it would be copied.
    gc.collect()
    gc.freeze()
    for name in {"gc", "os"} - known:
        del sys.modules[name]
    words = serve()

    # From here on this is the process of one program. Python has seeded its own generators anew; numpy has not.
    numpy_random = sys.modules.get("numpy.random")
    if numpy_random is not None:
        numpy_random.seed()
    sys.argv.extend(os.fsdecode(word) for word in words.split(b"\0")[:-1])
    if hasattr(sys, "orig_argv"):
        sys.orig_argv.extend(sys.argv[1:])
    if not has_own:
        # What Python expects where a site has no customization.
        raise ImportError(name="sitecustomize")


def _restore_environment(os, python_path):
    """As if this interpreter had been started with the program's own variables, also for who reads its memory."""
    if python_path is None:
        del os.environ["PYTHONPATH"]
    else:
        os.environb[b"PYTHONPATH"] = python_path
    with open("/proc/self/stat", "rb") as file:
        fields = file.read().rpartition(b")")[2].split()
    start, end = int(fields[47]), int(fields[48])
    with open("/proc/self/mem", "r+b", 0) as memory:
        memory.seek(start)
        block = memory.read(end - start)
        at = block.rindex(b"PYTHONPATH=")
        own = b"" if python_path is None else b"PYTHONPATH=" + python_path + b"\0"
        memory.seek(start + at)
        memory.write(own.ljust(len(block) - at, b"\0"))


def _threads():
    with open("/proc/self/status", "rb") as file:
        return next(int(line.split()[1]) for line in file if line.startswith(b"Threads:"))
