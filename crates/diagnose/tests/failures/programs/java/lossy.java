// expect: incompatible-types | 5 | type
public class Main {
    public static void main(String[] args) {
        double half = 0.5;
        int whole = half;
    }
}
