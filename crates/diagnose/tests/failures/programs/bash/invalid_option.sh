# expect: invalid-option | 3 | value
set -e
declare -Z x
