# expect: syntax-error | 4 | syntax
if true; then
  echo x

