# Leaves a mark wherever something can be left, and looks first whether an earlier run did.
import ctypes, os

libc = ctypes.CDLL(None)
mark = "mark-" + os.environ["CASE"]
found = False
for folder in ("/tmp", "/dev/shm", "/work", "/var/tmp", "/run", "/run/lock", "/var/lock", "/home", "/root", "/etc", "/usr/lib/python3/dist-packages", "/dev", "/dev/mqueue", "/proc", "/"):
    path = os.path.join(folder, mark)
    if os.path.lexists(path):
        found = True
        print("WORKED found", path)
    try:
        open(path, "w").write("left")
    except OSError:
        pass
if libc.shmget(0x50455253, 4096, 0) >= 0:
    found = True
    print("WORKED found a segment")
libc.shmget(0x50455253, 4096, 0o1666)
if not found:
    print("REFUSED nothing of an earlier run")
