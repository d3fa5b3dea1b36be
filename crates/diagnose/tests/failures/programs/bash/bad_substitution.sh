# expect: bad-substitution | 3 | syntax
name=x
echo "${name-with space!}${na me}"
