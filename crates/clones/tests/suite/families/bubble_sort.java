public static void bubbleSort(int[] array) {
    boolean swapped = true;
    int j = 0;
    int tmp;
    while (swapped) {
        swapped = false;
        j++;
        for (int i = 0; i < array.length - j; i++) {
            if (array[i] > array[i + 1]) {
                tmp = array[i];
                array[i] = array[i + 1];
                array[i + 1] = tmp;
                swapped = true;
            }
        }
    }
}
// ---
public void sort(int[] numbers) {
    int n = numbers.length;
    for (int i = 0; i < n - 1; i++) {
        for (int j = 0; j < n - i - 1; j++) {
            if (numbers[j] > numbers[j + 1]) {
                int temp = numbers[j];
                numbers[j] = numbers[j + 1];
                numbers[j + 1] = temp;
            }
        }
    }
}
// ---
private static void bubble_srt(int a[], int n) {
    int i, j, t = 0;
    for (i = 0; i < n; i++) {
        for (j = 1; j < (n - i); j++) {
            if (a[j - 1] > a[j]) {
                t = a[j - 1];
                a[j - 1] = a[j];
                a[j] = t;
            }
        }
    }
}
// ---
public static <T extends Comparable<T>> void bubbleSort(List<T> list) {
    boolean changed;
    do {
        changed = false;
        for (int i = 0; i < list.size() - 1; i++) {
            if (list.get(i).compareTo(list.get(i + 1)) > 0) {
                T helper = list.get(i);
                list.set(i, list.get(i + 1));
                list.set(i + 1, helper);
                changed = true;
            }
        }
    } while (changed);
}
// ---
public long[] sortAscending(long[] values) {
    long[] copy = values.clone();
    for (int out = copy.length - 1; out > 1; out--) {
        for (int in = 0; in < out; in++) {
            if (copy[in] > copy[in + 1]) {
                swap(copy, in, in + 1);
            }
        }
    }
    return copy;
}
