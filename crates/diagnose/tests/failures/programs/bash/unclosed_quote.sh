# expect: unclosed-quote | 2 | syntax
echo "hello
echo done
