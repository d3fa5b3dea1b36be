// expect: non-static-from-static | 5 | compile
public class Main {
    int count = 0;
    public static void main(String[] args) {
        count++;
    }
}
