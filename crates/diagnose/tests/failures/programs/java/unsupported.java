// expect: java.lang.UnsupportedOperationException | 6 | type
import java.util.*;
public class Main {
    public static void main(String[] args) {
        List<Integer> values = List.of(1, 2);
        values.add(3);
    }
}
