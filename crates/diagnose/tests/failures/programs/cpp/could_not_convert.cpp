// expect: invalid-conversion | 4 | type
#include <string>
int main() {
    int value = std::string("3");
    return value;
}
