# Half in each folder: the budget is for all of them together.
import os, sys

had = 0
try:
    for number in range(30):
        folder = (".", os.environ["TEMP"], os.environ["SHM"])[number % 3]
        with open(os.path.join(folder, f"part-{number}"), "wb") as file:
            file.write(os.urandom(1 << 20))
        had += 1
except OSError as error:
    print("REFUSED after", had, "MiB:", error.strerror)
    sys.exit(1)
print("WORKED", had, "MiB")
