// expect: undefined-behavior | 5 | null | sanitize
struct Node { int value; int get() { return value; } };
int main(int argc, char **) {
    Node *node = argc > 5 ? new Node{1} : nullptr;
    return node->get();
}
