// expect: lvalue-required | 4 | type
int main(void) {
    int a = 1;
    if (a + 1 = 2) return 1;
    return 0;
}
