// expect: end-of-file | 5 | syntax
public class Main {
    public static void main(String[] args) {
        System.out.println(1);
    }
