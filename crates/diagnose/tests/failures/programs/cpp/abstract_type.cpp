// expect: abstract-type | 4 | type
struct Shape { virtual int area() = 0; };
int main() {
    Shape shape;
}
