// expect: std::invalid_argument | - | value
#include <string>
int main() { return std::stoi("abc"); }
