// expect: redefinition | 3 | name
int area() { return 1; }
int area() { return 2; }
int main() { return area(); }
