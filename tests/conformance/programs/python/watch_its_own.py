# What tools that wait for changes do: directories and files of one's own, by every kind of path, in processes and threads.
import ctypes, os, struct, subprocess, sys, tempfile, threading

libc = ctypes.CDLL(None, use_errno=True)
CREATED, MODIFIED, ONLY_DIRECTORIES, DO_NOT_FOLLOW = 0x100, 0x2, 0x01000000, 0x02000000


def watch(watcher, path, mask):
    number = libc.inotify_add_watch(watcher, os.fsencode(path), mask)
    if number < 0:
        raise SystemExit("%s: %s" % (path, os.strerror(ctypes.get_errno())))
    return number


def names(watcher):
    data, found = os.read(watcher, 1 << 16), []
    while data:
        _, _, _, length = struct.unpack("iIII", data[:16])
        found.append(data[16 : 16 + length].rstrip(b"\0").decode())
        data = data[16 + length :]
    return found


here = os.getcwd()
os.makedirs("a/b")
os.symlink("a", "link")
open("file", "w").close()
for path in [".", "a", "./a/../a/b", "link/b", os.path.join(here, "a/b"), tempfile.mkdtemp(), "link"]:
    watcher = libc.inotify_init1(0)
    watch(watcher, path, CREATED)
    open(os.path.join(path, "made"), "w").close()
    assert names(watcher) == ["made"], path
    os.unlink(os.path.join(path, "made"))
    os.close(watcher)
watcher = libc.inotify_init1(0)
number = watch(watcher, "file", MODIFIED)
assert number == watch(watcher, "./file", MODIFIED), "one file has one watch"
with open("file", "w") as file:
    file.write("x")
assert names(watcher) == [""]
watch(watcher, "link", MODIFIED | DO_NOT_FOLLOW)
assert libc.inotify_add_watch(watcher, b"file", MODIFIED | ONLY_DIRECTORIES) < 0 and ctypes.get_errno() == 20
assert libc.inotify_add_watch(watcher, b"missing", MODIFIED) < 0 and ctypes.get_errno() == 2
assert libc.inotify_add_watch(watcher, None, MODIFIED) < 0 and ctypes.get_errno() == 14
assert libc.inotify_add_watch(0, b"file", MODIFIED) < 0 and ctypes.get_errno() == 22
assert libc.inotify_rm_watch(watcher, number) == 0
done = []


def in_a_thread():
    os.mkdir("threads")
    mine = libc.inotify_init1(0)
    watch(mine, "threads", CREATED)
    open("threads/x", "w").close()
    done.extend(names(mine))


thread = threading.Thread(target=in_a_thread)
thread.start()
thread.join()
assert done == ["x"], done
if len(sys.argv) == 1:
    os.mkdir("child")
    code = "import os, sys; os.chdir('child'); sys.argv.append('child'); exec(open(%r).read())" % os.path.abspath(__file__)
    subprocess.run([sys.executable, "-c", code], check=True)
print("WORKED")
