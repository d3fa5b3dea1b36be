// expect: assert | 4 | assertion
#include <assert.h>
static void check(int value) {
    assert(value > 3);
}
int main(void) { check(2); return 0; }
