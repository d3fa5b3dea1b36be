// expect: invalid-operands | 5 | type
struct point { int x; };
int main(void) {
    struct point a = {1}, b = {2};
    return (a + b).x;
}
