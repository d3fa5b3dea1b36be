// expect: no-matching-operator | 5 | type
struct Point { int x; };
int main() {
    Point a{1}, b{2};
    return (a + b).x;
}
