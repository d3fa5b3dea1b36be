// expect: alloc-dealloc-mismatch | 5 | memory | sanitize
#include <cstdlib>
int main() {
    int *values = new int[3];
    delete values;
}
