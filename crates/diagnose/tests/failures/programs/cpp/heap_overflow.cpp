// expect: heap-buffer-overflow | 5 | memory | sanitize
#include <vector>
int main() {
    std::vector<int> values(3);
    return values[3];
}
