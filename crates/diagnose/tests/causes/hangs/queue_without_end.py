# hang: queue | 10 | tasks.get()
import queue
import threading

tasks = queue.Queue()


def work():
    while True:
        task = tasks.get()
        if task is None:
            return
        print(task)


worker = threading.Thread(target=work)
worker.start()
tasks.put(1)
worker.join()
