# expect: operator-expected | 2 | syntax
[ 1 -eq ]
