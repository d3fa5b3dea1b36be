// expect: missing-header | 2 | import
#include <nowhere.hpp>
int main() {}
