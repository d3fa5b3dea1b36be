// expect: wrong-arguments | 5 | type
public class Main {
    static int add(int a, int b) { return a + b; }
    public static void main(String[] args) {
        System.out.println(add(1));
    }
}
