// expect: redefinition | 4 | name
int main(void) {
    int a = 1;
    int a = 2;
    return a;
}
