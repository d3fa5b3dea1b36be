// expect: java.nio.file.NoSuchFileException | 5 | io
import java.nio.file.*;
public class Main {
    public static void main(String[] args) throws Exception {
        System.out.println(Files.readString(Path.of("nothing.txt")));
    }
}
