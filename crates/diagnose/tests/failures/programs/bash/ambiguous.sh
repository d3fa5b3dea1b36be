# expect: ambiguous-redirect | 4 | io
target="a b"
set -e
echo x > $target
