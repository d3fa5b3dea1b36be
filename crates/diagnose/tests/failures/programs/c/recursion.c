// expect: stack-overflow | 2 | recursion | sanitize
static int down(volatile int n) {
    volatile char room[4096];
    room[0] = (char)n;
    return down(n + 1) + room[0];
}
int main(void) { return down(1); }
