# hang: lock | 13 | ready.wait()
import threading

ready = threading.Event()


def prepare():
    if len("data") > 10:
        ready.set()


threading.Thread(target=prepare).start()
ready.wait()
print("ready")
