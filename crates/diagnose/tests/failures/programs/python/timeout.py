# expect: Timeout | - | timeout | wall=1
while True:
    pass
