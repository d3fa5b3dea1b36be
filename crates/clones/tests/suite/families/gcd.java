public static int gcd(int a, int b) {
    while (b != 0) {
        int remainder = a % b;
        a = b;
        b = remainder;
    }
    return Math.abs(a);
}
// ---
public long greatestCommonDivisor(long m, long n) {
    if (m < 0) m = -m;
    if (n < 0) n = -n;
    if (n == 0) {
        return m;
    }
    return greatestCommonDivisor(n, m % n);
}
// ---
private int computeGcd(int x, int y) {
    int t;
    while (y > 0) {
        t = y;
        y = x % y;
        x = t;
    }
    return x;
}
// ---
static int euclid(int p, int q) {
    if (p == 0 || q == 0) {
        return p + q;
    }
    while (p != q) {
        if (p > q) {
            p = p - q;
        } else {
            q = q - p;
        }
    }
    return p;
}
