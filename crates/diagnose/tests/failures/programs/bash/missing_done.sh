# expect: syntax-error | 4 | syntax
for i in 1 2; do
  echo "$i"

