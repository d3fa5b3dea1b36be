// expect: heap-use-after-free | 7 | memory | sanitize
#include <stdlib.h>
int main(void) {
    int *value = malloc(sizeof(int));
    *value = 3;
    free(value);
    return *value;
}
