# expect: division-by-zero | 3 | arithmetic
zero=0
echo $((1 / zero))
