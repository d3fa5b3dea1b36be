# expect: syntax-error | 2 | syntax
while true;; do break; done
