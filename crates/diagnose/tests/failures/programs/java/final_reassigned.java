// expect: final-reassigned | 5 | compile
public class Main {
    public static void main(String[] args) {
        final int a = 1;
        a = 2;
    }
}
