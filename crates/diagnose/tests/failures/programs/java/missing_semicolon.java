// expect: token-expected | 4 | syntax
public class Main {
    public static void main(String[] args) {
        int a = 1
        System.out.println(a);
    }
}
