# expect: bad-number | 3 | value
day=08
echo $((day + 1))
