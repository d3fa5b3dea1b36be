// expect: unterminated | 4 | syntax
#include <stdio.h>
int main(void) {
    puts("hello);
    return 0;
}
