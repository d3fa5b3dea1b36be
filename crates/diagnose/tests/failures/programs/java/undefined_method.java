// expect: cannot-find-symbol | 4 | name
public class Main {
    public static void main(String[] args) {
        System.out.println("a".size());
    }
}
