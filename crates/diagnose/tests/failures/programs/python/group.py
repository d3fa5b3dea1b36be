# expect: ExceptionGroup | 3 | raised
def both():
    raise ExceptionGroup("two failed", [ValueError("one"), KeyError("two")])

both()
