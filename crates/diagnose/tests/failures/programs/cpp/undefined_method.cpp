// expect: undefined-reference | 4 | link
struct Box { int get(); };
int main() {
    return Box().get();
}
