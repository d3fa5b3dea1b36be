# expect: no-such-file | 3 | io
set -e
read -r line < nothing.txt
