// expect: std::bad_optional_access | - | null
#include <optional>
int main() {
    std::optional<int> nothing;
    return nothing.value();
}
