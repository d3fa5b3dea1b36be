# expect: parameter-not-set | 2 | name
: "${target:?}"
