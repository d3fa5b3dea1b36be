// expect: misplaced | 3 | syntax
int main(void) {
    break;
    return 0;
}
