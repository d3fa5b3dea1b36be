# A hard link would carry a file of the host into the folder that is collected.
import os

for target in (os.environ["FLAG"], "/usr/bin/env", "/etc/passwd", "/proc/self/exe", "/proc/1/exe"):
    if "BARE" in os.environ and target != os.environ["FLAG"]:
        continue
    try:
        os.link(target, "linked", follow_symlinks=True)
        os.unlink("linked")
        print("WORKED", target)
    except OSError as error:
        print("REFUSED", target, error.strerror)
