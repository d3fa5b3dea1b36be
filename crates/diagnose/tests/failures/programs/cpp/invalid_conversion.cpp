// expect: invalid-conversion | 3 | type
int main() {
    int value = "text";
    return value;
}
