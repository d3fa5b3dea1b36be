# origin: 8 | 0
import threading

results = {}


def work(name):
    results[name] = 0


workers = [threading.Thread(target=work, args=(n,)) for n in ("a", "b")]
for worker in workers:
    worker.start()
for worker in workers:
    worker.join()
print(1 / results["b"])
