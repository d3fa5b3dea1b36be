# expect: RuntimeError | 3 | value
ages = {"a": 1, "b": 2}
for name in ages:
    del ages[name]
