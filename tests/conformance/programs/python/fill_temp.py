# Fills the temporary folder with real blocks: 64 MiB where 16 are allowed.
import os, sys

had = 0
try:
    for number in range(64):
        with open(os.path.join(os.environ["TEMP"], f"fill-{number}"), "wb") as file:
            file.write(os.urandom(1 << 20))
        had += 1
except OSError as error:
    print("REFUSED after", had, "MiB:", error.strerror)
    sys.exit(1)
print("WORKED", had, "MiB")
