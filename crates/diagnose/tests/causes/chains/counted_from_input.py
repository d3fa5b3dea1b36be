# origin: 5 | '1 2 3' | 2\n1 2 3
import sys

count = int(sys.stdin.readline())
values = sys.stdin.readline().strip()
numbers = [int(v) for v in values.split()]
for i in range(count + 2):
    print(numbers[i])
