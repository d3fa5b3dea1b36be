# hang: loop | 4 | re.match
import re

print(re.match(r"(a+)+$", "a" * 40 + "b"))
