# Blocks set aside without writing a byte.
import os, sys

try:
    with open("allocated", "wb") as file:
        os.posix_fallocate(file.fileno(), 0, 32 << 20)
except OSError as error:
    print("REFUSED", error.strerror)
    sys.exit(1)
print("WORKED 32 MiB")
