# Two sandboxes at once. The first stakes a claim on everything that has a name; the second looks whether it can see it.
import ctypes, os, socket, sys

libc = ctypes.CDLL(None, use_errno=True)
KEY, PORT, NAME = 0x464F524D, 34567, os.environ["CASE"]
places = [f"{folder}/claim-{NAME}" for folder in ("/tmp", "/dev/shm", "/work")]
librt = ctypes.CDLL("librt.so.1", use_errno=True)
CREATE = 0o100


def listening(family, address):
    server = socket.socket(family)
    server.bind(address)
    server.listen()
    return server


if os.environ["ROLE"] == "stake":
    for place in places:
        open(place, "w").write("claimed")
    held = [listening(socket.AF_INET, ("127.0.0.1", PORT)), listening(socket.AF_UNIX, "\0" + NAME + "-inside")]
    print("segment", libc.shmget(KEY, 4096, 0o1666), "queue", libc.msgget(KEY, 0o1666), "semaphore", libc.semget(KEY, 1, 0o1666))
    print("message queue", librt.mq_open(b"/claim", os.O_RDWR | CREATE, 0o666, None))
    print("STAKED", os.getpid(), flush=True)
    sys.stdin.read()
    sys.exit(0)

for place in places:
    print("WORKED" if os.path.exists(place) else "REFUSED", place)
for family, address in ((socket.AF_INET, ("127.0.0.1", PORT)), (socket.AF_UNIX, "\0" + NAME + "-inside")):
    try:
        socket.socket(family).connect(address)
        print("WORKED", address)
    except OSError as error:
        print("REFUSED", address, error.strerror)
    held = listening(family, address)  # and the same name is free here
for what, number in (("segment", libc.shmget(KEY, 4096, 0)), ("queue", libc.msgget(KEY, 0)), ("semaphore", libc.semget(KEY, 1, 0)),
                     ("message queue", librt.mq_open(b"/claim", os.O_RDWR))):
    print("WORKED" if number >= 0 else "REFUSED", what)
for pid in filter(str.isdigit, os.listdir("/proc")):
    try:
        if int(pid) not in (1, os.getpid()) and b"claims" in open(f"/proc/{pid}/cmdline", "rb").read():
            print("WORKED sees process", pid)
    except OSError:
        pass
