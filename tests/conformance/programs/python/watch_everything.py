# As many watches as the kernel gives: they are a budget of the user, shared with the host's own programs where users are shared.
import ctypes, os

libc = ctypes.CDLL(None, use_errno=True)
instances = 0
while instances < 200 and libc.inotify_init() >= 0:
    instances += 1
print("instances", instances)
