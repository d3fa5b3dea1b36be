# origin: 7 | None
queue = []


def enqueue(task):
    # nobody checks the task
    queue.append({"task": task, "priority": None})


enqueue("a")
best = max(queue[0]["priority"], 3)
