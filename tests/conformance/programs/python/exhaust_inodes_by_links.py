# Folders, links and pipes are inodes too.
import os, sys

count = 0
try:
    for count in range(1000):
        os.mkdir(f"folder-{count}")
        os.symlink("nowhere", f"folder-{count}/link")
        os.mkfifo(f"folder-{count}/pipe")
except OSError as error:
    print("REFUSED after", count, error.strerror)
    sys.exit(1)
print("WORKED", count)
