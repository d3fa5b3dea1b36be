# origin: 4 | None
from collections import namedtuple
P = namedtuple("P", "x y")
ps = [P(1, 2), P(None, 3)]
print(sum(p.x for p in ps))
