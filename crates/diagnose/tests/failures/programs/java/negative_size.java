// expect: java.lang.NegativeArraySizeException | 4 | value
public class Main {
    public static void main(String[] args) {
        int[] values = new int[args.length - 1];
    }
}
