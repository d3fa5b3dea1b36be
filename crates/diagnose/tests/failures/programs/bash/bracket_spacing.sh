# expect: command-not-found | 3 | syntax
x=1
[$x = 1]
exit $?
