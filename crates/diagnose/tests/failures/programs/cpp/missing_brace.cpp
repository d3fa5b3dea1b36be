// expect: token-expected | 5 | syntax
int main() {
    if (true) {
        return 0;
}
