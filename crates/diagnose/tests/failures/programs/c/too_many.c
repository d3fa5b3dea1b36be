// expect: wrong-arguments | 4 | type
static int twice(int a) { return 2 * a; }
int main(void) {
    return twice(1, 2);
}
