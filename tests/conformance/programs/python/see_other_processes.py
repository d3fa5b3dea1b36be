# The process table shows this sandbox's own processes and nobody else's.
import os

me = {os.getpid(), os.getppid(), 1}
others = [pid for pid in map(int, filter(str.isdigit, os.listdir("/proc"))) if pid not in me]
for pid in others:
    try:
        with open(f"/proc/{pid}/cmdline", "rb") as file:
            print("WORKED sees", pid, file.read().replace(b"\0", b" ").decode("utf-8", "replace"))
    except OSError:
        pass
print("REFUSED others" if not others else "done")
