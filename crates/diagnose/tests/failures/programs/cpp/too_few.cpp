// expect: wrong-arguments | 4 | type
int add(int a, int b) { return a + b; }
int main() {
    return add(1);
}
