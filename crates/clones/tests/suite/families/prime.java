public static boolean isPrime(int n) {
    if (n < 2) {
        return false;
    }
    for (int i = 2; i * i <= n; i++) {
        if (n % i == 0) {
            return false;
        }
    }
    return true;
}
// ---
public boolean prime(long candidate) {
    if (candidate <= 1) return false;
    if (candidate == 2) return true;
    if (candidate % 2 == 0) return false;
    long limit = (long) Math.sqrt(candidate);
    for (long divisor = 3; divisor <= limit; divisor += 2) {
        if (candidate % divisor == 0) return false;
    }
    return true;
}
// ---
private boolean testPrime(int value) {
    boolean result = value > 1;
    int d = 2;
    while (result && d <= value / 2) {
        if (value % d == 0) {
            result = false;
        }
        d++;
    }
    return result;
}
