// expect: undeclared | 5 | name
#include <stdio.h>
int main(void) {
    int count = 1;
    printf("%d\n", cuont);
    return 0;
}
