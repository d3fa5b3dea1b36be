"""Lets an interpreter stand ready: Python loads this when it starts, before it looks at the program.

Everything that happens here has happened, without this file, when a program begins: the site's own
customization is loaded, and nothing of this one stays behind.
"""


def _stand_ready(folder, python_path, imports):
    import sys

    known = set(sys.modules)
    import atexit
    import gc
    import os

    if "t" in getattr(sys, "abiflags", ""):
        raise SystemExit("an interpreter without the global lock cannot stand ready")
    import _formicary

    serve, end_with = _formicary.serve, _formicary.end_with
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
    for name in {"atexit", "gc", "os"} - known:
        del sys.modules[name]
    main = _fresh_main(sys)
    words = serve(_written_pages(os, gc))

    # From here on this is the process of one program.
    _end_early(sys, atexit, main, end_with)
    # Python has seeded its own generators anew; numpy has not.
    numpy_random = sys.modules.get("numpy.random")
    if numpy_random is not None:
        numpy_random.seed()
    sys.argv.extend(os.fsdecode(word) for word in words.split(b"\0")[:-1])
    if hasattr(sys, "orig_argv"):
        sys.orig_argv.extend(sys.argv[1:])
    if not has_own:
        # What Python expects where a site has no customization.
        raise ImportError(name="sitecustomize")


def _fresh_main(sys):
    """The module of the program, anew: what the collector may not touch would keep all that a program makes alive."""
    old = sys.modules.pop("__main__")
    main = sys.modules["__main__"] = type(sys)("__main__")
    main.__dict__.update(old.__dict__)
    return main


def _end_early(sys, atexit, main, end_with):
    """Has a program that came to its end leave where Python begins to take itself apart, after all that a program can see."""
    ready = list(sys.modules)
    last = sys.modules[next(name for name in reversed(ready) if name != "__main__")]
    loaders = sys.modules["_frozen_importlib_external"]
    script, extension = loaders.SourceFileLoader, loaders.ExtensionFileLoader

    # The first to be registered is the last to be called.
    @atexit.register
    def end():
        # Python takes away the name of the program's file when the program is over, and leaves it where the program has
        # asked for its own end, with an exit code that nobody else can know. Where it could not be read, it was never run.
        here = main.__dict__
        if not isinstance(here.get("__loader__"), script) or "__file__" in here or "__cached__" in here:
            return
        status = 0
        if hasattr(sys, "last_type"):
            # An exception that nobody caught, if the program did not go on after it. An interrupt ends by its signal.
            trace = getattr(sys, "last_traceback", None)
            frame = getattr(trace, "tb_frame", None)
            if frame is None or frame.f_globals is not here or frame.f_back or frame.f_lasti != trace.tb_lasti:
                return
            if sys.last_type is KeyboardInterrupt:
                return
            status = 1
        # Libraries that are not Python's own may wait for the interpreter's very end.
        for name in list(sys.modules)[len(ready) :]:
            spec = getattr(sys.modules[name], "__spec__", None)
            foreign = "/lib-dynload/" not in str(getattr(spec, "origin", None))
            if foreign and isinstance(getattr(spec, "loader", None), extension):
                return
        end_with(last, status)


def _written_pages(os, gc):
    """The numbers of the pages that a small program writes to, seen in a child that ran one."""
    out, into = os.pipe()
    child = os.fork()
    if child:
        os.close(into)
        with open(out, "rb") as file:
            pages = file.read()
        os.waitpid(child, 0)
        return pages
    try:
        os.close(out)
        with open(os.devnull, "w") as nowhere:
            exec(compile(_SMALL_PROGRAM, "small", "exec"), {"out": nowhere})
        gc.collect()
        os.write(into, _own_pages())
    finally:
        os._exit(0)


_SMALL_PROGRAM = """
class Kind:
    def __init__(self, value): self.value = value
def words(line): return [word.strip() for word in line.split(",")]
counts = {}
for word in words("some, words, some, more"): counts[word] = counts.get(word, 0) + 1
for number in range(300): counts[str(number)] = Kind(number)
try: int("no number")
except ValueError as error: print("%s %r" % (error, sorted(map(str, counts))), file=out)
print(f"{sum(range(100)):5} {1 / 3:.3f}", max(counts, key=len), file=out, flush=True)
"""


def _own_pages():
    """The numbers of the pages that belong to this process alone, 8 bytes each."""
    alone, size = 1 << 56, 4096
    found = []
    with open("/proc/self/maps") as maps, open("/proc/self/pagemap", "rb", 0) as entries:
        for line in maps:
            range_, rights = line.split()[:2]
            if rights.startswith("rw") and rights.endswith("p"):
                first, end = (int(word, 16) // size for word in range_.split("-"))
                entries.seek(first * 8)
                table = memoryview(entries.read((end - first) * 8)).cast("Q")
                found.extend(first + at for at, entry in enumerate(table) if entry & alone)
    return b"".join(number.to_bytes(8, "little") for number in found)


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
