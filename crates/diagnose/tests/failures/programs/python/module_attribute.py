# expect: AttributeError | 3 | attribute
import math
print(math.sqroot(4))
