# Several processes flood the same stream; the first one only waits for them.
import os

for _ in range(4):
    if os.fork() == 0:
        while True:
            os.write(1, b"child\n" * 1000)
os.wait()
