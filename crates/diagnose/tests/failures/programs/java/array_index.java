// expect: java.lang.ArrayIndexOutOfBoundsException | 4 | index
public class Main {
    static int last(int[] values) {
        return values[values.length];
    }
    public static void main(String[] args) {
        System.out.println(last(new int[] {1, 2}));
    }
}
