// expect: undefined-behavior | 4 | arithmetic | sanitize
int main(int argc, char **argv) {
    (void)argv;
    return 10 / (argc - 1);
}
