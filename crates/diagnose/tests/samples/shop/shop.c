#include <stdio.h>

struct prices { int first, second; };

int total(int count, const struct prices *prices) {
    int sum = 0;
    sum += prices->first / count;
    sum += prices->second / count;
    return sum;
}

int main(void) {
    struct prices prices = {6, 12};
    puts("open");
    for (int count = 3; count >= 0; count--) {
        printf("%d\n", total(count, &prices));
        fflush(stdout);
    }
}
