// expect: undeclared | 4 | name
#include <iostream>
int main() {
    cout << "x";
}
