// expect: token-expected | 2 | syntax
struct Point { int x; }
int main() { return 0; }
