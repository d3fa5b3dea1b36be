public static void shuffle(int[] deck) {
    Random random = new Random();
    for (int i = deck.length - 1; i > 0; i--) {
        int j = random.nextInt(i + 1);
        int card = deck[i];
        deck[i] = deck[j];
        deck[j] = card;
    }
}
// ---
private Object[] mix(Object[] items) {
    Object[] result = (Object[]) items.clone();
    for (int i = 0; i < result.length; i++) {
        int other = (int) (Math.random() * result.length);
        Object temp = result[i];
        result[i] = result[other];
        result[other] = temp;
    }
    return result;
}
// ---
public void randomize(List<String> words, long seed) {
    Random rnd = new Random(seed);
    int n = words.size();
    while (n > 1) {
        n--;
        int k = rnd.nextInt(n + 1);
        String value = words.get(k);
        words.set(k, words.get(n));
        words.set(n, value);
    }
}
