// expect: bad-operand-types | 4 | type
public class Main {
    public static void main(String[] args) {
        System.out.println("a" * 2);
    }
}
