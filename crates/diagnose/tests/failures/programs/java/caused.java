// expect: java.lang.IllegalStateException | 7 | value
public class Main {
    static void load() {
        try {
            Integer.parseInt("x");
        } catch (NumberFormatException error) {
            throw new IllegalStateException("no settings", error);
        }
    }
    public static void main(String[] args) {
        load();
    }
}
