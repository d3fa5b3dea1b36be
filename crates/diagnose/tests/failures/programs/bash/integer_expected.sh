# expect: integer-expected | 3 | type
x=abc
[ "$x" -gt 3 ]
