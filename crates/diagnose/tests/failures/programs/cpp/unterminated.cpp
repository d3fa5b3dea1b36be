// expect: unterminated | 3 | syntax
int main() {
    const char *text = "hello;
    return 0;
}
