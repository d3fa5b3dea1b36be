// expect: heap-buffer-overflow | 6 | memory | sanitize
#include <stdlib.h>
int main(void) {
    int *values = malloc(3 * sizeof(int));
    for (int i = 0; i <= 3; i++)
        values[i] = i;
    int last = values[2];
    free(values);
    return last;
}
