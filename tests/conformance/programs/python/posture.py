# Every fact that the kernel tells about this process, one a line: a kind, a tab, a value.
import os, resource, ctypes


def fact(kind, *value):
    print(kind, " ".join(str(part) for part in value), sep="\t")


for line in open("/proc/self/status"):
    name, value = line.split(":", 1)
    if name in ("Uid", "Gid", "Groups", "NoNewPrivs", "Seccomp", "TracerPid", "SigBlk", "SigIgn", "Umask") or name.startswith("Cap"):
        fact(name, " ".join(value.split()))
fact("securebits", ctypes.CDLL(None).prctl(27, 0, 0, 0, 0))
for kind in os.listdir("/proc/self/ns"):
    fact("ns/" + kind, os.readlink("/proc/self/ns/" + kind))
for number in range(0, 4096):
    try:
        os.fstat(number)
        fact("fd", number, os.readlink(f"/proc/self/fd/{number}"))
    except OSError:
        pass
for entry in open("/proc/self/environ", "rb").read().split(b"\0"):
    if entry:
        fact("env", entry.decode())
for line in open("/proc/self/mountinfo"):
    fields = line.split()
    dash = fields.index("-")
    fact("mount", fields[4], fields[5], fields[dash + 1], fields[3])
    if os.access(fields[4], os.W_OK) and os.path.isdir(fields[4]):
        fact("writable", fields[4])
for name in sorted(os.listdir("/")):
    fact("root", name)
for name in ("CORE", "CPU", "FSIZE", "NOFILE", "NPROC", "DATA", "STACK", "AS", "MEMLOCK", "MSGQUEUE", "RTPRIO", "NICE", "SIGPENDING"):
    soft, hard = resource.getrlimit(getattr(resource, "RLIMIT_" + name))
    fact("limit/" + name, soft, hard)
stat = open("/proc/self/stat").read().rpartition(") ")[2].split()
fact("tty", stat[4])
fact("session", "own" if os.getsid(0) == os.getpid() else "shared")
fact("cwd", os.getcwd())
try:
    fact("setgroups", open("/proc/self/setgroups").read().strip())
except OSError as error:
    fact("setgroups", error.strerror)
