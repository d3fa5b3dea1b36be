// expect: void-value | 4 | type
static void nothing(void) {}
int main(void) {
    int a = nothing();
    return a;
}
