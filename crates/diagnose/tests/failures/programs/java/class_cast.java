// expect: java.lang.ClassCastException | 5 | type
public class Main {
    public static void main(String[] args) {
        Object value = "text";
        Integer number = (Integer) value;
    }
}
