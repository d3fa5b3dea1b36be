// expect: undefined-reference | 4 | link
int helper(int value);
int main(void) {
    return helper(3);
}
