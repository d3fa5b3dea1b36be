// expect: cannot-find-symbol | 5 | name
public class Main {
    public static void main(String[] args) {
        int count = 1;
        System.out.println(cuont);
    }
}
