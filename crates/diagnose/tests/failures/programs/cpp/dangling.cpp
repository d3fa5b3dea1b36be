// expect: heap-use-after-free | 5 | memory | sanitize
int main() {
    int *value = new int(3);
    delete value;
    return *value;
}
