public static boolean isPalindrome(String text) {
    int left = 0;
    int right = text.length() - 1;
    while (left < right) {
        if (text.charAt(left) != text.charAt(right)) {
            return false;
        }
        left++;
        right--;
    }
    return true;
}
// ---
public boolean checkPalindrome(String s) {
    int n = s.length();
    for (int i = 0; i < n / 2; i++) {
        if (s.charAt(i) != s.charAt(n - i - 1)) {
            return false;
        }
    }
    return true;
}
// ---
private static boolean palindrome(String word) {
    String reversed = new StringBuilder(word).reverse().toString();
    if (reversed.equalsIgnoreCase(word)) {
        System.out.println(word + " is a palindrome");
        return true;
    }
    System.out.println(word + " is no palindrome");
    return false;
}
// ---
public static boolean istPalindrom(char[] word) {
    boolean palindrome = false;
    if (word.length % 2 == 0) {
        for (int i = 0; i < word.length / 2 - 1; i++) {
            if (word[i] != word[word.length - i - 1]) {
                return false;
            } else {
                palindrome = true;
            }
        }
    } else {
        for (int i = 0; i < (word.length - 1) / 2 - 1; i++) {
            if (word[i] != word[word.length - i - 1]) {
                return false;
            } else {
                palindrome = true;
            }
        }
    }
    return palindrome;
}
