// expect: missing-header | 2 | import
#include "nowhere.h"
int main(void) { return 0; }
