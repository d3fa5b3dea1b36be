// expect: Timeout | - | timeout | wall=1
for (;;) {}
