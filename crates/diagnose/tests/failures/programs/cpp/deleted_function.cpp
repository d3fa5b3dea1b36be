// expect: deleted-function | 5 | type
#include <memory>
int main() {
    auto a = std::make_unique<int>(3);
    auto b = a;
    return *b;
}
