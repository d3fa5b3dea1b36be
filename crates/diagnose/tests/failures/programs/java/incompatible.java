// expect: incompatible-types | 4 | type
public class Main {
    public static void main(String[] args) {
        int count = "three";
    }
}
