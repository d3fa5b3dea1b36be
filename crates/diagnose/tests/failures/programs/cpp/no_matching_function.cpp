// expect: no-matching-function | 6 | type
#include <string>
static int size(const std::string &text, int n) { return text.size() + n; }
int main() {
    struct Other {} other;
    return std::max(other, 3);
}
