#include <iostream>
#include <vector>

int total(int count, const std::vector<int>& prices) {
    int sum = 0;
    for (int price : prices) {
        sum += price / count;
    }
    return sum;
}

int main() {
    std::cout << "open" << std::endl;
    for (int count = 3; count >= 0; count--) {
        std::cout << total(count, {6, 12}) << std::endl;
    }
}
