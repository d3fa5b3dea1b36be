public static long fibonacci(int n) {
    if (n <= 1) {
        return n;
    }
    long previous = 0;
    long current = 1;
    for (int i = 2; i <= n; i++) {
        long next = previous + current;
        previous = current;
        current = next;
    }
    return current;
}
// ---
public int fib(int number) {
    int a = 0, b = 1, c = 0;
    if (number == 0) {
        return a;
    }
    int i = 2;
    while (i <= number) {
        c = a + b;
        a = b;
        b = c;
        i++;
    }
    return b;
}
// ---
static BigInteger fibo(int n) {
    BigInteger first = BigInteger.ZERO;
    BigInteger second = BigInteger.ONE;
    for (int k = 0; k < n; k++) {
        BigInteger sum = first.add(second);
        first = second;
        second = sum;
    }
    return first;
}
// ---
public void printFibonacci(int count) {
    int n1 = 0, n2 = 1, n3, i;
    System.out.print(n1 + " " + n2);
    for (i = 2; i < count; ++i) {
        n3 = n1 + n2;
        System.out.print(" " + n3);
        n1 = n2;
        n2 = n3;
    }
    System.out.println();
}
