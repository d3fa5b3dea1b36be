// expect: SIGSEGV | - | memory
int main(void) {
    volatile int *nowhere = (int *)8;
    return *nowhere;
}
