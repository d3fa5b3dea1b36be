// expect: std::out_of_range | - | key
#include <map>
#include <string>
int main() {
    std::map<std::string, int> ages;
    return ages.at("bob");
}
