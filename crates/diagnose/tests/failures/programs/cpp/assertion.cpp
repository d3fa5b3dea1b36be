// expect: assert | 4 | assertion
#include <cassert>
static void check(int value) {
    assert(value > 3);
}
int main() { check(2); }
