// expect: conflicting-types | 3 | type
int area(int side);
double area(int side) { return side * side; }
int main(void) { return 0; }
