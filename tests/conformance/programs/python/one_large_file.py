# One file beyond the limit for a single file.
import sys

try:
    with open("large", "wb") as file:
        for _ in range(8):
            file.write(bytes(1 << 20))
except OSError as error:
    print("REFUSED", error.strerror)
    sys.exit(1)
print("WORKED 8 MiB")
