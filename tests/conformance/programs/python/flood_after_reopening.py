# The stream is opened once more by its name in /proc, made as large as the kernel allows, and flooded through both.
import fcntl, os

again = os.open("/proc/self/fd/1", os.O_WRONLY)
try:
    fcntl.fcntl(again, 1031, 1 << 20)
except OSError:
    pass
while True:
    os.write(again, b"again\n" * 1000)
    os.write(1, b"first\n" * 1000)
