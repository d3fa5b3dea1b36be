// expect: std::bad_array_new_length | - | value
#include <cstdlib>
int main(int argc, char **) {
    long size = -(long)argc;
    volatile int *values = new int[size];
    return values[0];
}
