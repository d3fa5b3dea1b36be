// expect: java.lang.IllegalArgumentException | 5 | value
public class Main {
    enum Colour { RED }
    public static void main(String[] args) {
        System.out.println(Colour.valueOf("GREEN"));
    }
}
