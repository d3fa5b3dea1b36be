// expect: java.lang.NumberFormatException | 4 | value
public class Main {
    public static void main(String[] args) {
        System.out.println(Integer.parseInt("12a"));
    }
}
