// expect: std::logic_error | - | null
#include <string>
int main(int argc, char **argv) {
    std::string text(argv[argc]);
    return (int)text.size();
}
