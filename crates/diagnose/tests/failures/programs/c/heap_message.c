// expect: heap | - | memory
#include <stdlib.h>
int main(void) {
    char *volatile text = malloc(16);
    free(text);
    free(text);
    return 0;
}
