# expect: syntax-error | 4 | syntax
if true
  echo x
fi
