# origin: 16 | None
import functools


def logged(function):
    @functools.wraps(function)
    def wrapper(*args, **kwargs):
        return function(*args, **kwargs)
    return wrapper


@logged
def shout(text):
    return text.upper()

word = None
print(shout(word))
