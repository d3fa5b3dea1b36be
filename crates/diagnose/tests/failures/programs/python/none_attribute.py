# expect: AttributeError | 4 | null
import re
match = re.search("x", "abc")
print(match.group(0))
