# Reads what an attacker looks for first.
import glob, os

bare = "BARE" in os.environ
patterns = [os.environ["FLAG"]]
if not bare:
    patterns += ["/etc/shadow", "/etc/gshadow", "/etc/sudoers", "/root/*", "/root/.*", "/home/*", "/home/*/.*", "/var/run/secrets/*",
                 "/run/secrets/*", "/etc/ssh/*key*", "/var/lib/*", "/var/log/*", "/etc/kubernetes/*", "/proc/1/environ",
                 "/proc/*/root" + os.environ["FLAG"], "/proc/self/task/*/root" + os.environ["FLAG"], "/etc/machine-id",
                 "/mnt/*", "/media/*", "/srv/*", "/boot/*", "/tmp/*", "/var/tmp/*", "/var/spool/*", "/var/backups/*"]
for pattern in patterns:
    hits = glob.glob(pattern)
    if not hits:
        print("REFUSED", pattern, "nothing there")
    for hit in hits:
        try:
            print("WORKED", hit, os.listdir(hit) if os.path.isdir(hit) else open(hit, "rb").read(200))
        except OSError as error:
            print("REFUSED", hit, error.strerror)
