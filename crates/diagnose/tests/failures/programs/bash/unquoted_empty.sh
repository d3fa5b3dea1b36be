# expect: operator-expected | 3 | syntax
x=
[ $x = a ]
