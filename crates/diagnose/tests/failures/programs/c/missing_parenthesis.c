// expect: token-expected | 4 | syntax
#include <stdio.h>
int main(void) {
    printf("%d\n", 3;
    return 0;
}
