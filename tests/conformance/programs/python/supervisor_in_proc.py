# Everything that /proc tells about a process of the host, about the supervisor, and about the sandbox's first process.
import os

for who, pid in (("victim", os.environ["VICTIM"]), ("supervisor", os.environ["SUPERVISOR"]), ("init", "1")):
    if who == "init" and "BARE" in os.environ:
        continue
    for what in ("environ", "mem", "maps", "auxv", "stack", "syscall", "io", "personality"):
        try:
            with open(f"/proc/{pid}/{what}", "rb") as file:
                data = b"" if what == "mem" else file.read(4096)
            # The program's own supervisor inside may have an environment: an empty one tells nothing.
            print("WORKED" if data or what == "mem" else "REFUSED empty", who, what, data[:200])
        except OSError as error:
            print("REFUSED", who, what, error.strerror)
    for what in ("fd", "map_files", "task/%s/fd" % pid):
        try:
            print("WORKED", who, what, os.listdir(f"/proc/{pid}/{what}"))
        except OSError as error:
            print("REFUSED", who, what, error.strerror)
    for what in ("root", "cwd", "exe"):
        try:
            print("WORKED", who, what, os.readlink(f"/proc/{pid}/{what}"))
        except OSError as error:
            print("REFUSED", who, what, error.strerror)
