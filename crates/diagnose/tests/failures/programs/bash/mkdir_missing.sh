# expect: no-such-file | 3 | io
set -e
mkdir a/b/c
