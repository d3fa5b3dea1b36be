# expect: RuntimeError | 6 | raised
def load(text):
    try:
        return int(text)
    except ValueError as error:
        raise RuntimeError("bad settings") from error

load("x")
