// expect: undefined-reference | 4 | link
int helper(int value);
int main() {
    return helper(3);
}
