# expect: bad-subscript | 4 | index
set -e
values=(1 2)
values[-5]=3
