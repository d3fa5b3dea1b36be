// expect: not-a-function | 4 | type
int main(void) {
    int count = 3;
    return count(1);
}
