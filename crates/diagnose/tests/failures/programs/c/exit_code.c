// expect: ExitCode | - | other
int main(void) { return 7; }
