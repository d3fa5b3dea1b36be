// expect: undeclared | 4 | name
int main() {
    int count = 1;
    return cuont;
}
