// expect: private-member | 5 | attribute
class Box { int value = 3; };
int main() {
    Box box;
    return box.value;
}
