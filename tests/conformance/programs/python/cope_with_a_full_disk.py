# The disk is full, the program notices, tidies up and ends well: that is a success.
import os

try:
    for number in range(64):
        with open(f"fill-{number}", "wb") as file:
            file.write(bytes(1 << 20))
    print("WORKED")
except OSError as error:
    for name in os.listdir("."):
        if name.startswith("fill-"):
            os.unlink(name)
    print("REFUSED and tidied up:", error.strerror)
