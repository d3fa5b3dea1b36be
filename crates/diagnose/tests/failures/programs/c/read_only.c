// expect: read-only | 4 | type
int main(void) {
    const int limit = 3;
    limit = 4;
    return limit;
}
