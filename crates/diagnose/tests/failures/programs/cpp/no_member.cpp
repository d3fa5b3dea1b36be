// expect: no-member | 5 | attribute
#include <vector>
int main() {
    std::vector<int> values;
    values.push(3);
}
