# expect: ImportError | 2 | import
from math import squareroot
