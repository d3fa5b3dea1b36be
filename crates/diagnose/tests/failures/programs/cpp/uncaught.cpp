// expect: std::runtime_error | - | raised
#include <stdexcept>
int main() { throw std::runtime_error("no settings"); }
