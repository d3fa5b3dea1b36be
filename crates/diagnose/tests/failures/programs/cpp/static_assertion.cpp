// expect: static-assertion | 2 | assertion
static_assert(sizeof(int) == 1, "small");
int main() {}
