# Every way to change a system file, not only writing.
import os

target = "/usr/bin/env"
ways = {
    "open": lambda: open(target, "r+b").close(),
    "truncate": lambda: os.truncate(target, 0),
    "chmod": lambda: os.chmod(target, 0o777),
    "chown": lambda: os.chown(target, os.getuid(), os.getgid()),
    "utime": lambda: os.utime(target),
    "unlink": lambda: os.unlink(target),
    "rename": lambda: os.rename(target, "/usr/bin/env2"),
    "replace": lambda: os.replace("/work/main.py", target),
    "symlink": lambda: os.symlink("/work/main.py", "/usr/bin/formicary-conformance"),
    "mkdir": lambda: os.mkdir("/usr/formicary-conformance"),
    "mknod": lambda: os.mkfifo("/usr/formicary-conformance"),
    "xattr": lambda: os.setxattr(target, "user.x", b"1"),
    "mkdir /": lambda: os.mkdir("/formicary-conformance"),
    "mkdir /dev": lambda: os.mkdir("/dev/formicary-conformance"),
    "mkdir /etc": lambda: os.mkdir("/etc/formicary-conformance"),
    "rmdir /work": lambda: os.rmdir("/work"),
    "rename /work": lambda: os.rename("/work", "/tmp/work"),
    "chmod /": lambda: os.chmod("/", 0o777),
}
for name, way in ways.items():
    try:
        way()
        print("WORKED", name)
    except OSError as error:
        print("REFUSED", name, error.strerror)
