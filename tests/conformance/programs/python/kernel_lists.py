# Mounts, partitions and users of the host, as the system's own lists tell them.
import os

mounts = open("/proc/self/mountinfo").read()
scene = os.environ["SCENE"]
shown = []
if "/sys/fs/cgroup" in mounts:
    shown.append("cgroup mounts")
if any(line.split()[4] == "/" and " tmpfs " not in line for line in mounts.splitlines()):
    shown.append("the host's root")
if os.path.exists(scene):
    shown.append("the host's temporary folder")
for place in ("/root", "/home", "/mnt", "/media", "/srv", "/opt", "/boot", "/sys/kernel", "/run/systemd", "/var/lib/dpkg", "/var/log", "/lost+found", "/etc/shadow", "/etc/ssh", "/etc/machine-id", "/root/.ssh", "/var/run/secrets"):
    try:
        if os.path.isfile(place) or os.listdir(place):
            shown.append(place)
    except OSError:
        pass
for what in shown:
    print("WORKED sees", what)
if not shown:
    print("REFUSED the host's lists")
