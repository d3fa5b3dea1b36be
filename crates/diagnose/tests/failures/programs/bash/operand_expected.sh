# expect: arithmetic-syntax | 2 | syntax
echo $((1 + ))
