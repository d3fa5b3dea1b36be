# Empty files cost no blocks.
import sys

count = 0
try:
    for count in range(2000):
        open(f"empty-{count}", "w").close()
except OSError as error:
    print("REFUSED after", count, error.strerror)
    sys.exit(1)
print("WORKED", count)
