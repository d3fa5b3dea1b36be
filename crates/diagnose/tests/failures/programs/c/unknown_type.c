// expect: unknown-type | 3 | name
int main(void) {
    uint32_t value = 3;
    return (int)value;
}
