# Fills the working folder with real blocks, a little at a time, in many files.
import os, sys

had = 0
try:
    for number in range(1024):
        with open(f"fill-{number}", "wb") as file:
            file.write(os.urandom(64 << 10))
        had += 64
except OSError as error:
    print("REFUSED after", had, "KiB:", error.strerror)
    sys.exit(1)
print("WORKED", had, "KiB")
