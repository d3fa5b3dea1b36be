// expect: java.lang.ArithmeticException | 5 | arithmetic
public class Main {
    public static void main(String[] args) {
        int zero = args.length;
        System.out.println(1 / zero);
    }
}
