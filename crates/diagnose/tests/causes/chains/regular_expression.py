# origin: 4 | 'no digits here'
import re

TEXT = "no digits here"
match = re.search(r"\d+", TEXT)
print(match.group(0))
