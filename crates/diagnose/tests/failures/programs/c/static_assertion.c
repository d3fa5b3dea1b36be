// expect: static-assertion | 2 | assertion
_Static_assert(sizeof(int) == 1, "small");
int main(void) { return 0; }
