// expect: Broken | - | raised
struct Broken {};
int main() { throw Broken(); }
