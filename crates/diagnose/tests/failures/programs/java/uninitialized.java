// expect: uninitialized-variable | 5 | compile
public class Main {
    public static void main(String[] args) {
        int a;
        System.out.println(a);
    }
}
