# origin: 5 | None
count = 0
def reset():
    global count
    count = None
def inc():
    global count
    count += 1
inc()
reset()
inc()
