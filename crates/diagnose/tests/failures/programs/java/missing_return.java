// expect: missing-return | 5 | compile
public class Main {
    static int sign(int n) {
        if (n > 0) return 1;
    }
    public static void main(String[] args) { }
}
