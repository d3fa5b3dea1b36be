// expect: std::out_of_range | - | index
#include <vector>
int main() {
    std::vector<int> values{1, 2};
    return values.at(5);
}
