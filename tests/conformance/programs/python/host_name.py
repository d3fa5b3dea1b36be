# The host's name tells an attacker where he is.
import os, socket

seen = {os.uname().nodename, socket.gethostname()}
try:
    seen.add(open("/etc/hostname").read().strip())
except OSError:
    pass
print(("WORKED" if os.environ["HOST"] in seen else "REFUSED the host's name, seen:"), *sorted(seen))
