# A petabyte of nothing: a collector that trusts sizes reads for ever.
import os, signal

signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
for size in (1 << 50, 1 << 40, 1 << 33):
    try:
        with open("sparse", "wb") as file:
            os.ftruncate(file.fileno(), size)
        print("WORKED", size)
    except OSError as error:
        print("REFUSED", size, error.strerror)
