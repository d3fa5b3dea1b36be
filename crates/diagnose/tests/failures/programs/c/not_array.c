// expect: not-an-array | 4 | type
int main(void) {
    int a = 3;
    return a[0];
}
