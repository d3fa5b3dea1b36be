# Writes wherever a program might: the host's folders, system folders, the root.
import os

bare = "BARE" in os.environ
places = [os.environ["FLAG"], os.environ["SCENE"] + "/new"]
if not bare:
    places += ["/x", "/etc/x", "/etc/passwd", "/usr/x", "/usr/bin/x", "/bin/x", "/lib/x", "/root/x", "/home/x", "/var/x",
               "/var/tmp/x", "/run/x", "/run/lock/x", "/opt/x", "/srv/x", "/proc/x", "/sys/x", "/dev/x", "/boot/x", "/mnt/x"]
for place in places:
    try:
        with open(place, "w") as file:
            file.write("overwritten")
        print("WORKED", place)
    except OSError as error:
        print("REFUSED", place, error.strerror)
