# expect: StopIteration | 3 | value
empty = iter([])
next(empty)
