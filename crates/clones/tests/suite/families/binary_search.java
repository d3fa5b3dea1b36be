public static int binarySearch(int[] a, int key) {
    int low = 0;
    int high = a.length - 1;
    while (low <= high) {
        int mid = (low + high) / 2;
        if (a[mid] < key) {
            low = mid + 1;
        } else if (a[mid] > key) {
            high = mid - 1;
        } else {
            return mid;
        }
    }
    return -1;
}
// ---
public int find(String[] words, String wanted) {
    int left = 0, right = words.length - 1;
    while (left <= right) {
        int middle = left + (right - left) / 2;
        int order = wanted.compareTo(words[middle]);
        if (order == 0) {
            return middle;
        }
        if (order < 0) {
            right = middle - 1;
        } else {
            left = middle + 1;
        }
    }
    return -1;
}
// ---
private int search(int[] sorted, int x, int from, int to) {
    if (from > to) {
        return -1;
    }
    int m = (from + to) >>> 1;
    if (sorted[m] == x) {
        return m;
    } else if (sorted[m] > x) {
        return search(sorted, x, from, m - 1);
    } else {
        return search(sorted, x, m + 1, to);
    }
}
// ---
public static boolean contains(List<Integer> list, int value) {
    int lo = 0;
    int hi = list.size();
    while (lo < hi) {
        int mid = (lo + hi) / 2;
        int element = list.get(mid);
        if (element == value) return true;
        if (element < value) lo = mid + 1;
        else hi = mid;
    }
    return false;
}
