// expect: undefined-behavior | 5 | index | sanitize
int main(int argc, char **argv) {
    int values[3] = {1, 2, 3};
    (void)argv;
    return values[argc + 2];
}
