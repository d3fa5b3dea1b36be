// expect: unreachable-statement | 5 | compile
public class Main {
    static int f() {
        return 1;
        System.out.println("x");
    }
    public static void main(String[] args) { }
}
