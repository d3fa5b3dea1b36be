// expect: java.util.NoSuchElementException | 6 | key
import java.util.*;
public class Main {
    public static void main(String[] args) {
        Optional<String> nothing = Optional.empty();
        System.out.println(nothing.get());
    }
}
