import java.util.List;

class Shop {
    static int total(int count, List<Integer> prices) {
        int sum = 0;
        for (int price : prices) {
            sum += price / count;
        }
        return sum;
    }

    public static void main(String[] arguments) {
        System.out.println("open");
        for (int count = 3; count >= 0; count--) {
            System.out.println(total(count, List.of(6, 12)));
        }
    }
}
