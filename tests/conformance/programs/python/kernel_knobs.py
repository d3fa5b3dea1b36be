# What of the kernel's own files can be written, and what of the host's devices can be seen. Nothing is written: to open is enough.
import os

open_knobs = []
for folder, folders, files in os.walk("/proc"):
    if folder == "/proc":
        folders[:] = [name for name in folders if not name.isdigit() and name not in ("self", "thread-self", "net")]
    for name in files:
        path = os.path.join(folder, name)
        try:
            os.close(os.open(path, os.O_WRONLY | os.O_NONBLOCK))
            open_knobs.append(path)
        except OSError:
            pass
shown = []
for folder, folders, files in os.walk("/sys"):
    if folder == "/sys/fs":
        folders[:] = [name for name in folders if name != "cgroup"]
    shown += [os.path.join(folder, name) for name in files]
    if len(shown) > 20:
        break
for path in open_knobs[:20]:
    # Covered by the device that swallows everything.
    if os.stat(path).st_rdev != os.makedev(1, 3):
        print("WORKED opened for writing", path)
for path in shown[:20]:
    print("WORKED saw", path)
print("REFUSED the rest")
