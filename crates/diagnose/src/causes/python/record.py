"""Keeps what the rewritten program reports: a bounded ring of events, and for busy places their last value alone."""
import itertools

RING = 300_000
# A place that reports more often than this keeps only its last value, so that a long loop does not push everything else
# out of the ring; above the second bound it is not recorded any more, and its values count as unknown.
OFTEN = 20_000
STOP = 2_000_000
NESTS = ("<listcomp>", "<setcomp>", "<dictcomp>")

SITES = []
FILES = {}
ring = collections.deque(maxlen=RING)
counts = []
latest = []
clock = itertools.count()
# Values of these types are held as they are; the keys are ids, since a metaclass may define equality.
plain = {id(kind) for kind in (int, float, str, bytes, bool, complex, type(None), list, tuple, dict, set, frozenset,
                               collections.deque, collections.defaultdict, collections.OrderedDict,
                               collections.Counter, range, types.FunctionType, types.BuiltinFunctionType,
                               types.MethodType, types.ModuleType, type)}
refused = {}
FLAGS = type.__dict__["__flags__"].__get__
HEAP = 1 << 9


class Unheld:
    """Stands for a value that must not be kept alive: a file, a lock, an object with a finalizer."""
    __slots__ = ("kind",)

    def __init__(self, kind):
        self.kind = kind


def held(value):
    kind = type(value)
    if id(kind) in refused:
        return Unheld(kind)
    own = bool(FLAGS(kind) & HEAP)
    if own and not any("__del__" in SPACE(base) for base in MRO(kind)) and MODULE(kind) in OWN:
        plain.add(id(kind))
        kinds.append(kind)
        return value
    # The type is kept, so that no other one gets its id.
    refused[id(kind)] = kind
    return Unheld(kind)


kinds = []


def record(site, value):
    count = counts[site] = counts[site] + 1
    if count < OFTEN:
        ring.append((next(clock), site, id(sys._getframe(1)), value if id(type(value)) in plain else held(value)))
    elif count < STOP:
        latest[site] = (next(clock), site, id(sys._getframe(1)), value if id(type(value)) in plain else held(value))
    return value


def record_nested(site, value, depth):
    count = counts[site] = counts[site] + 1
    if count < STOP:
        event = (next(clock), site, id(sys._getframe(1 + depth)), value if id(type(value)) in plain else held(value))
        if count < OFTEN:
            ring.append(event)
        else:
            latest[site] = event
    return value


def record_entry(site, values):
    count = counts[site] = counts[site] + 1
    if count >= STOP:
        return
    frame = sys._getframe(1)
    caller = frame.f_back
    for _ in range(40):
        if caller is None or caller.f_code.co_filename in FILES:
            break
        caller = caller.f_back
    else:
        caller = None
    called = None
    if caller is not None:
        code, at = caller.f_code, caller.f_lasti
        while caller.f_code.co_name in NESTS and caller.f_back is not None:
            caller = caller.f_back
        called = (id(caller), code, at)
    kept = tuple([value if id(type(value)) in plain else held(value) for value in values])
    event = (next(clock), site, id(frame), (kept, called))
    if count < OFTEN:
        ring.append(event)
    else:
        latest[site] = event


def compiled(path, text, flags=0):
    """The code of a file of the program, rewritten; as it is where that fails."""
    first = len(SITES)
    try:
        file = File(path, os.path.relpath(path, ROOT), text)
        code = compile(Rewriter(file, SITES).rewritten(), path, "exec", dont_inherit=True)
    except (Exception, RecursionError):
        del SITES[first:]
        return compile(text, path, "exec", dont_inherit=True)
    counts.extend([0] * (len(SITES) - len(counts)))
    latest.extend([None] * (len(SITES) - len(latest)))
    FILES[path] = file
    return code


def install():
    """Makes the imports of the program's own files rewritten ones."""
    import importlib.machinery
    import importlib.util
    for name, function in ((RECORD, record), (NESTED, record_nested), (ENTER, record_entry), (ITEM, record)):
        setattr(builtins, name, function)
    # A cache of compiled files beside the sources would be read instead of them.
    sys.dont_write_bytecode = True
    sys.pycache_prefix = "/nonexistent"
    usual = importlib.machinery.SourceFileLoader.source_to_code

    def source_to_code(self, data, path, *arguments, **options):
        name = os.path.abspath(path) if type(path) is str else ""
        if name.startswith(ROOT + os.sep) and "site-packages" not in name:
            OWN.add(self.name)
            try:
                return compiled(name, importlib.util.decode_source(data))
            except SyntaxError:
                pass
        return usual(self, data, path, *arguments, **options)

    importlib.machinery.SourceFileLoader.source_to_code = source_to_code


def ring_off():
    """Other threads may still run while the recorded events are read."""
    for name in (RECORD, NESTED, ITEM):
        setattr(builtins, name, lambda site, value, depth=0: value)
    setattr(builtins, ENTER, lambda site, values: None)
