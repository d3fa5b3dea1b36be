// expect: no-member | 5 | attribute
struct point { int x, y; };
int main(void) {
    struct point p = {1, 2};
    return p.z;
}
