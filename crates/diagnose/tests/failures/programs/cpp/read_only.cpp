// expect: read-only | 4 | type
int main() {
    const int limit = 3;
    limit = 4;
}
