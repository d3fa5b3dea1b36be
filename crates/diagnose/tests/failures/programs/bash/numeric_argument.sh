# expect: numeric-argument | 2 | type
exit abc
