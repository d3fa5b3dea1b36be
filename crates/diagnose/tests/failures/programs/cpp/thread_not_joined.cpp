// expect: terminate | - | raised
#include <thread>
int main() {
    std::thread worker([] {});
}
