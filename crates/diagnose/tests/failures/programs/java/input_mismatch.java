// expect: java.util.NoSuchElementException | 5 | key
import java.util.*;
public class Main {
    public static void main(String[] args) {
        int value = new Scanner(System.in).nextInt();
    }
}
