// expect: unreported-exception | 4 | compile
public class Main {
    public static void main(String[] args) {
        Thread.sleep(1);
    }
}
