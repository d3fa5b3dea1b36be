// expect: incompatible-types | 4 | type
struct point { int x; };
int main(void) {
    struct point a = 3;
    return a.x;
}
