// expect: missing-override | 2 | type
public class Main implements Runnable {
    public static void main(String[] args) { }
}
