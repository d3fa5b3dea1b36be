// expect: java.util.MissingFormatArgumentException | 4 | type
public class Main {
    public static void main(String[] args) {
        System.out.println(String.format("%s %s", "a"));
    }
}
