# Descriptors without end, and the limit raised first if it can be.
import os, resource

try:
    resource.setrlimit(resource.RLIMIT_NOFILE, (1000, 1000))
except (OSError, ValueError) as error:
    print("REFUSED to raise the limit:", error)
held = []
try:
    while len(held) < 500:
        held.append(os.open("/dev/null", os.O_RDONLY))
    print("WORKED", len(held))
except OSError as error:
    print("REFUSED after", len(held), error.strerror)
