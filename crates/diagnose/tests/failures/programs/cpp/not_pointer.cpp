// expect: not-a-pointer | 5 | type
struct Point { int x; };
int main() {
    Point p{1};
    return p->x;
}
