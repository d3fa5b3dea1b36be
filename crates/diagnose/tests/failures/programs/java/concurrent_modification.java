// expect: java.util.ConcurrentModificationException | 6 | concurrency
import java.util.*;
public class Main {
    public static void main(String[] args) {
        List<Integer> values = new ArrayList<>(List.of(1, 2, 3));
        for (Integer value : values) {
            values.remove(value);
        }
    }
}
