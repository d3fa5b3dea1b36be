// expect: LeakSanitizer | 5 | resource | sanitize
#include <stdlib.h>
#include <string.h>
int main(void) {
    char *text = malloc(32);
    strcpy(text, "x");
    text = NULL;
    return 0;
}
