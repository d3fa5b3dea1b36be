// expect: package-does-not-exist | 2 | import
import com.nowhere.Thing;
public class Main {
    public static void main(String[] args) { }
}
