# hang: deadlock | 12 | second
import threading

first = threading.Lock()
second = threading.Lock()
both = threading.Barrier(2)


def forward():
    with first:
        both.wait()
        with second:
            print("forward")


def backward():
    with second:
        both.wait()
        with first:
            print("backward")


threads = [threading.Thread(target=forward, name="forward"), threading.Thread(target=backward, name="backward")]
for thread in threads:
    thread.start()
for thread in threads:
    thread.join()
