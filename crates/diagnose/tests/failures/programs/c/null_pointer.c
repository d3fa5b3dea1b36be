// expect: undefined-behavior | 4 | null | sanitize
#include <stddef.h>
static int get(int *p) {
    return *p;
}
int main(int argc, char **argv) { return get(argc > 5 ? &argc : NULL) + (argv == NULL); }
