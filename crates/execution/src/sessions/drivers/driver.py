# Runs cells one after another in one interpreter. Orders come on one descriptor, answers go to another; both are moved
# out of the way of the cells. Messages are JSON with four bytes of length.
# Everything that is needed is imported here: a cell may do what it likes to sys.modules.
import ast
import base64
import builtins
import fcntl
import io
import json
import linecache
import os
import signal
import sys
import traceback
import types

LONGEST_TEXT = 1 << 20
LONGEST_IMAGE = 16 << 20
MOST_BYTES = 32 << 20
MOST_DISPLAYS = 100
MOST_FRAMES = 100
HERE = "<formicary>"
CO_COROUTINE = 0x80
BACKEND = "formicary_figures"


def high(descriptor):
    try:
        return fcntl.fcntl(descriptor, fcntl.F_DUPFD_CLOEXEC, 100)
    except OSError:
        return fcntl.fcntl(descriptor, fcntl.F_DUPFD_CLOEXEC, 3)


class Channel:
    def __init__(self):
        orders, reply = (int(os.environ.pop("FORMICARY_%s_FD" % name)) for name in ("ORDERS", "REPLY"))
        self.pid = os.getpid()
        self.orders, self.reply = high(orders), high(reply)
        self.streams = {number: high(number) for number in (0, 1, 2)}
        os.close(orders)
        os.close(reply)
        os.register_at_fork(after_in_child=self.forget)

    def forget(self):
        # A child of a cell is not the session: it must neither take orders nor answer.
        for descriptor in (self.orders, self.reply):
            os.close(descriptor)
        self.orders = self.reply = None

    def read(self, count):
        pieces = []
        while count:
            piece = os.read(self.orders, min(count, 1 << 20))
            if not piece:
                os._exit(0)
            pieces.append(piece)
            count -= len(piece)
        return b"".join(pieces)

    def receive(self):
        return json.loads(self.read(int.from_bytes(self.read(4), "little")))

    def send(self, message):
        body = json.dumps(message, ensure_ascii=True).encode()
        view = memoryview(len(body).to_bytes(4, "little") + body)
        while view:
            view = view[os.write(self.reply, view) :]

    def restore(self):
        # A cell may have closed or redirected the standard streams: the next one has them again.
        for number, saved in self.streams.items():
            try:
                same = os.path.sameopenfile(number, saved)
            except OSError:
                same = False
            if not same:
                os.dup2(saved, number)
        if sys.stdin is None or sys.stdin.closed:
            sys.stdin = open(0, closefd=False)
        for name, number in (("stdout", 1), ("stderr", 2)):
            stream = getattr(sys, name)
            original = getattr(sys, "__" + name + "__")
            if stream is original and original is not None and not original.closed:
                continue
            if original is None or original.closed:
                original = open(number, "w", buffering=1, encoding="utf-8", errors="backslashreplace", closefd=False)
                setattr(sys, "__" + name + "__", original)
            setattr(sys, name, original)


channel = Channel()
state = {"running": False}
displays = []
budget = [MOST_BYTES]


def interrupted(number, frame):
    if state["running"] and channel.orders is not None:
        raise KeyboardInterrupt


def cut(text, most):
    return text if len(text) <= most else text[:most] + "… (%d characters left out)" % (len(text) - most)


def safe_repr(value):
    try:
        return cut(repr(value), LONGEST_TEXT)
    except KeyboardInterrupt:
        raise
    except BaseException as error:
        return "<%s whose repr raised %s>" % (type(value).__name__, type(error).__name__)


def picture(figure):
    data = io.BytesIO()
    figure.savefig(data, format="png", bbox_inches="tight")
    return base64.b64encode(data.getvalue()).decode()


METHODS = (
    ("_repr_html_", "text/html"),
    ("_repr_markdown_", "text/markdown"),
    ("_repr_svg_", "image/svg+xml"),
    ("_repr_png_", "image/png"),
    ("_repr_jpeg_", "image/jpeg"),
    ("_repr_latex_", "text/latex"),
    ("_repr_json_", "application/json"),
)


def add(bundle, mime, data):
    if data is None:
        return
    if isinstance(data, tuple):
        data = data[0]
    if isinstance(data, (bytes, bytearray)):
        data = base64.b64encode(bytes(data)).decode()
    elif not isinstance(data, str):
        data = json.dumps(data, default=repr)
    most = LONGEST_IMAGE if mime.startswith("image/") else LONGEST_TEXT
    if len(data) > min(most, budget[0]):
        bundle.setdefault("text/plain", "<%s of %d characters left out>" % (mime, len(data)))
        return
    budget[0] -= len(data)
    bundle[mime] = data


def bundle_of(value):
    bundle = {}
    kind = type(value)
    if isinstance(value, type):
        add(bundle, "text/plain", safe_repr(value))
        return bundle
    figures = sys.modules.get("matplotlib.figure")
    if figures is not None and isinstance(value, getattr(figures, "Figure", ())):
        add(bundle, "image/png", picture(value))
    many = getattr(kind, "_repr_mimebundle_", None)
    if many is not None:
        try:
            found = many(value)
            found = found[0] if isinstance(found, tuple) else found
            for mime, data in dict(found or {}).items():
                add(bundle, str(mime), data)
        except Exception:
            pass
    for name, mime in METHODS:
        method = getattr(kind, name, None)
        if method is not None and mime not in bundle:
            try:
                add(bundle, mime, method(value))
            except Exception:
                pass
    if "text/plain" not in bundle:
        add(bundle, "text/plain", safe_repr(value))
    return bundle


def display(*values):
    """Shows values in their richest forms."""
    for value in values:
        if len(displays) < MOST_DISPLAYS:
            displays.append(bundle_of(value))


def show_figures():
    pyplot = sys.modules.get("matplotlib.pyplot")
    if pyplot is None:
        return
    for number in list(pyplot.get_fignums()):
        figure = pyplot.figure(number)
        if figure.get_axes() or figure.texts:
            display(figure)
    pyplot.close("all")


class FigureBackend:
    """A matplotlib backend that shows figures as the cell's displays."""

    @staticmethod
    def find_spec(name, path=None, target=None):
        if name != BACKEND:
            return None
        from importlib.machinery import ModuleSpec

        return ModuleSpec(name, FigureBackend)

    @staticmethod
    def create_module(spec):
        return None

    @staticmethod
    def exec_module(module):
        from matplotlib.backends.backend_agg import FigureCanvasAgg

        module.FigureCanvas = FigureCanvasAgg
        module.show = lambda *words, **named: show_figures()


def frames_of(trace):
    frames = []
    for entry in traceback.extract_tb(trace):
        if entry.filename != HERE:
            frames.append(
                {"file": entry.filename, "line": entry.lineno or 0, "function": entry.name, "text": entry.line or ""}
            )
    if len(frames) > MOST_FRAMES:
        frames = frames[: MOST_FRAMES // 2] + frames[-MOST_FRAMES // 2 :]
    return frames


def printed(error, parsing):
    whole = traceback.TracebackException(type(error), error, None if parsing else error.__traceback__)
    links, seen = [whole], set()
    while links:
        link = links.pop()
        if link is None or id(link) in seen:
            continue
        seen.add(id(link))
        kept = [entry for entry in link.stack if entry.filename != HERE]
        link.stack = traceback.StackSummary.from_list(kept)
        links += [link.__cause__, link.__context__]
    return "".join(whole.format())


def exception_of(error, parsing=False):
    frames = [] if parsing else frames_of(error.__traceback__)
    if isinstance(error, SyntaxError) and parsing:
        frames = [
            {
                "file": error.filename or "",
                "line": error.lineno or 0,
                "function": "",
                "text": (error.text or "").rstrip("\n"),
            }
        ]
    try:
        message = str(error)
    except BaseException:
        message = "<message that cannot be made>"
    try:
        text = printed(error, parsing)
    except BaseException:
        text = type(error).__name__
    return {
        "type": type(error).__name__,
        "message": cut(message, 65536),
        "frames": frames,
        "traceback": cut(text, 262144),
    }


def compiled(code, name):
    lines = code.splitlines(True)
    linecache.cache[name] = (len(code), None, lines, name)
    tree = ast.parse(code, name)
    last = None
    if tree.body and isinstance(tree.body[-1], ast.Expr) and not code.rstrip().endswith(";"):
        last = ast.Expression(tree.body.pop().value)
    flags = ast.PyCF_ALLOW_TOP_LEVEL_AWAIT
    body = compile(tree, name, "exec", flags, True) if tree.body else None
    return body, last and compile(last, name, "eval", flags, True)


def evaluate(code):
    if code.co_flags & CO_COROUTINE:
        import asyncio

        loop = state.get("loop")
        if loop is None or loop.is_closed():
            loop = state["loop"] = asyncio.new_event_loop()
            asyncio.set_event_loop(loop)
        return loop.run_until_complete(eval(code, main.__dict__))
    return eval(code, main.__dict__)


def run(code, count):
    answer = {"exit": 0}
    try:
        body, last = compiled(code, "<cell %d>" % count)
    except BaseException as error:
        return {"exit": 1, "exception": exception_of(error, parsing=True)}
    try:
        try:
            state["running"] = True
            if body is not None:
                evaluate(body)
            if last is not None:
                value = evaluate(last)
                if value is not None:
                    builtins._ = value
                    answer["value"] = bundle_of(value)
            show_figures()
        finally:
            state["running"] = False
    except SystemExit as stop:
        status = stop.code
        if status is not None and not isinstance(status, int):
            sys.stderr.write(str(status) + "\n")
            status = 1
        answer["exit"] = (status or 0) & 0xFF
    except KeyboardInterrupt as error:
        answer.update(exit=130, interrupted=True, exception=exception_of(error))
    except BaseException as error:
        answer.update(exit=1, exception=exception_of(error))
    return answer


def flush():
    for stream in (sys.stdout, sys.stderr, sys.__stdout__, sys.__stderr__):
        try:
            stream.flush()
        except Exception:
            pass


def cell(order):
    displays.clear()
    budget[0] = MOST_BYTES
    channel.restore()
    signal.signal(signal.SIGINT, interrupted)
    try:
        answer = run(order["code"], order["count"])
        flush()
    except KeyboardInterrupt:
        answer = {"exit": 130, "interrupted": True}
    if os.getpid() != channel.pid or channel.orders is None:
        # The cell forked, and this is the child that came back from it.
        os._exit(answer["exit"])
    if displays:
        answer["displays"] = list(displays)
    answer["count"] = order["count"]
    return answer


main = types.ModuleType("__main__")
main.__dict__.update(__builtins__=builtins, __name__="__main__", __doc__=None)
sys.modules["__main__"] = main
builtins.display = display
sys.meta_path.append(FigureBackend)
os.environ.setdefault("MPLBACKEND", "module://" + BACKEND)
sys.argv = [""]
if "" not in sys.path:
    sys.path.insert(0, "")
signal.signal(signal.SIGINT, interrupted)
for stream in (sys.stdout, sys.stderr):
    stream.reconfigure(line_buffering=True, errors="backslashreplace")
channel.send({"ready": True})
while True:
    channel.send(cell(channel.receive()))
