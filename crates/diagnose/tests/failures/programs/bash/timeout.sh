# expect: Timeout | - | timeout | wall=1
while :; do :; done
