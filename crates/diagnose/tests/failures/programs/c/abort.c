// expect: SIGABRT | - | other
#include <stdlib.h>
int main(void) { abort(); }
