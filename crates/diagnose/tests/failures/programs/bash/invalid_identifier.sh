# expect: invalid-identifier | 3 | syntax
set -e
export my-name=3
