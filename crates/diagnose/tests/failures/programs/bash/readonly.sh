# expect: readonly-variable | 3 | type
readonly limit=3
limit=4
