// expect: java.lang.IndexOutOfBoundsException | 6 | index
import java.util.*;
public class Main {
    public static void main(String[] args) {
        List<Integer> values = new ArrayList<>();
        System.out.println(values.get(0));
    }
}
