// expect: undefined-behavior | 6 | arithmetic | sanitize
#include <limits.h>
int main(int argc, char **argv) {
    (void)argv;
    int big = INT_MAX;
    return big + argc;
}
