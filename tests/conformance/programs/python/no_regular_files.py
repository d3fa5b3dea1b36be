# Things with a name that are no files: to open them blocks, or does something.
import os, socket

os.mkfifo("pipe.txt")
server = socket.socket(socket.AF_UNIX)
server.bind("socket.txt")
os.mkdir("folder.txt")
open("real.txt", "w").write("real")
try:
    os.mknod("device.txt", 0o020600, os.makedev(1, 5))
    os.unlink("device.txt")
except OSError as error:
    print("REFUSED device:", error.strerror)
print("WORKED left what is no file")
