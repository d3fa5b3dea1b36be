// expect: unclosed-string | 4 | syntax
public class Main {
    public static void main(String[] args) {
        String name = "ann;
    }
}
