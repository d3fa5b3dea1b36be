// expect: java.util.EmptyStackException | 5 | index
import java.util.*;
public class Main {
    public static void main(String[] args) {
        new Stack<Integer>().pop();
    }
}
