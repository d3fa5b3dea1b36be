// expect: java.lang.StringIndexOutOfBoundsException | 4 | index
public class Main {
    public static void main(String[] args) {
        System.out.println("abc".substring(5));
    }
}
