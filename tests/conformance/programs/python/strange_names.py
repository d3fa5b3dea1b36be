# Names that break lists, terminals and paths.
import os

for name in (b"\xff\xfe", b"new\nline", b"tab\there", b"\x1b[31m", b"a" * 255, b"-rf", b"*", b"...", b" ", b"\xe2\x80\xae.txt", b"CON", b"a\\b"):
    with open(name, "w") as file:
        file.write("x")
    os.mkdir(b"d" + name[:200])
    with open(b"d" + name[:200] + b"/" + name, "w") as file:
        file.write("x")
print("WORKED")
