// expect: double-free | 6 | memory | sanitize
#include <stdlib.h>
int main(void) {
    char *volatile text = malloc(4);
    free(text);
    free(text);
    return 0;
}
