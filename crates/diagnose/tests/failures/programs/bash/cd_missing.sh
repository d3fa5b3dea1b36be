# expect: no-such-file | 2 | io
cd /nowhere || exit 1
