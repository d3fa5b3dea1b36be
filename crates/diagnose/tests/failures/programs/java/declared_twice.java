// expect: already-defined | 5 | name
public class Main {
    public static void main(String[] args) {
        int a = 1;
        int a = 2;
    }
}
