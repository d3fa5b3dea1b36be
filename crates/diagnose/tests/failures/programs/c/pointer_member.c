// expect: pointer-member | 4 | type
struct point { int x; };
static int get(struct point *p) {
    return p.x;
}
int main(void) { struct point p = {1}; return get(&p); }
