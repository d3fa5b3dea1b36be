# expect: syntax-error | 2 | syntax
echo (x)
