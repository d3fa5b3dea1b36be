# expect: too-many-arguments | 3 | syntax
x="a b c"
[ $x = a ]
