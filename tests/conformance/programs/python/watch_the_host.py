# Watches on files that the host uses too: their events would tell what the host does, and when.
import ctypes, os, threading

libc = ctypes.CDLL(None, use_errno=True)
OPENED = 0x00000020
watcher = libc.inotify_init1(0o4000)


def watch(name, path):
    number = libc.inotify_add_watch(watcher, path, OPENED)
    if number >= 0:
        print("WORKED", name)
    else:
        print("REFUSED", name, os.strerror(ctypes.get_errno()))


os.symlink("/usr/bin", "link")
os.mkdir("inner")
for path in ["/usr/bin", "/usr", "/bin/sh", "/etc/passwd", "/etc", "/lib", "/"]:
    watch(path, path.encode())
watch("a link", b"link")
watch("behind a link", b"link/env")
watch("up", b"inner/../../usr/bin")
watch("up from far below", b"../" * 60 + b"usr/bin")
watch("own root", b"/proc/self/root/usr/bin")
opened = os.open("/usr/bin", os.O_RDONLY)
watch("a descriptor", b"/proc/self/fd/%d" % opened)
watch("a descriptor's directory", b"/dev/fd/%d/env" % opened)
os.chdir("/usr/bin")
watch("where it stands", b".")
watch("from where it stands", b"env")
os.chdir("/work" if os.path.isdir("/work") else "/")

# The path changes while the call is answered.
own, theirs = b"/tmp/aaaaaaa\0", b"/usr/bin\0aaaa"
os.makedirs("/tmp/aaaaaaa", exist_ok=True)
changing = ctypes.create_string_buffer(own, 16)
over = False


def change():
    while not over:
        ctypes.memmove(changing, own, 13)
        ctypes.memmove(changing, theirs, 13)


thread = threading.Thread(target=change)
thread.start()
for _ in range(300):
    libc.inotify_add_watch(watcher, ctypes.addressof(changing), OPENED)
over = True
thread.join()
for _ in range(50):
    os.stat("/usr/bin")
    os.listdir("/usr/bin")
try:
    # Only opening /usr/bin was done since: events of it are not those of the directory of its own.
    if b"" != os.read(watcher, 1 << 16):
        print("WORKED", "while it changed")
except BlockingIOError:
    pass
