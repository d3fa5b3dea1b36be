# expect: no-such-file | 3 | io
set -e
cat nothing.txt
