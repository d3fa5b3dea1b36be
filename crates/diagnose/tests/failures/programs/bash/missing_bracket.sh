# expect: missing-bracket | 3 | syntax
x=1
[ "$x" = 1
