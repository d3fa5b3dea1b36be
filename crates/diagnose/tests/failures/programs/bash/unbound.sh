# expect: unbound-variable | 3 | name
set -u
echo "$missing"
