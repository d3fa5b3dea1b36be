// expect: not-a-member | 4 | name
#include <string>
int main() {
    std::vector<int> values;
}
