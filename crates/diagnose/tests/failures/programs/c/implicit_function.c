// expect: undefined-reference | 3 | link
int main(void) {
    return compute(3);
}
