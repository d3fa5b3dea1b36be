// expect: std::bad_variant_access | - | type
#include <variant>
int main() {
    std::variant<int, double> value = 3;
    return (int)std::get<double>(value);
}
