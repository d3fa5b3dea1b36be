# hang: input | 5 | sys.stdin | open
import sys

total = 0
for line in sys.stdin:
    total += int(line)
print(total)
