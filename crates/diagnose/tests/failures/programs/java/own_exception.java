// expect: Main$OutOfStock | 7 | raised
public class Main {
    static class OutOfStock extends RuntimeException {
        OutOfStock(String message) { super(message); }
    }
    public static void main(String[] args) {
        throw new OutOfStock("nothing left");
    }
}
