// expect: cannot-find-symbol | 4 | name
public class Main {
    public static void main(String[] args) {
        List<String> names = null;
    }
}
