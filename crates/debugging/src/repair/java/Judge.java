import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.io.PrintStream;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import javax.tools.FileObject;
import javax.tools.ForwardingJavaFileManager;
import javax.tools.JavaCompiler;
import javax.tools.JavaFileManager;
import javax.tools.JavaFileObject;
import javax.tools.SimpleJavaFileObject;
import javax.tools.ToolProvider;

/**
 * Judges many versions of a Java program by its main class, inside one virtual machine and one sandbox. Each version is
 * compiled in memory and runs in a class loader and a thread of its own. What passes is run again by the real tests in
 * a fresh sandbox.
 */
public class Judge {
    static final JavaCompiler COMPILER = ToolProvider.getSystemJavaCompiler();
    static final PrintStream OUT = System.out;
    static final Path CLASSES = Path.of("/tmp/formicary-classes");

    /** A program asked to end. */
    static class Exit extends SecurityException {
        final int code;

        Exit(int code) {
            this.code = code;
        }
    }

    record Source(String path, String text) {}

    record Candidate(int number, List<Source> changed) {}

    static String text(DataInputStream in) throws IOException {
        byte[] bytes = new byte[in.readInt()];
        in.readFully(bytes);
        return new String(bytes, StandardCharsets.UTF_8);
    }

    static List<Source> sources(DataInputStream in) throws IOException {
        List<Source> all = new ArrayList<>();
        for (int count = in.readInt(); count > 0; count--) {
            all.add(new Source(text(in), text(in)));
        }
        return all;
    }

    static class Text extends SimpleJavaFileObject {
        final String text;

        Text(Source source) {
            super(URI.create("string:///" + source.path().replace(' ', '_')), Kind.SOURCE);
            text = source.text();
        }

        @Override
        public CharSequence getCharContent(boolean ignored) {
            return text;
        }
    }

    /** Keeps classes in memory. */
    static class Memory extends ForwardingJavaFileManager<JavaFileManager> {
        final Map<String, ByteArrayOutputStream> made = new ConcurrentHashMap<>();

        Memory(JavaFileManager below) {
            super(below);
        }

        @Override
        public JavaFileObject getJavaFileForOutput(
                Location location, String name, JavaFileObject.Kind kind, FileObject sibling) {
            return new SimpleJavaFileObject(URI.create("mem:///" + name.replace('.', '/') + ".class"), kind) {
                @Override
                public OutputStream openOutputStream() {
                    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
                    made.put(name, bytes);
                    return bytes;
                }
            };
        }
    }

    static final List<String> ARGUMENTS = new ArrayList<>();
    static final List<String> ARCHIVES = new ArrayList<>();

    static List<String> texts(DataInputStream in) throws IOException {
        List<String> all = new ArrayList<>();
        for (int count = in.readInt(); count > 0; count--) {
            all.add(text(in));
        }
        return all;
    }

    static java.net.URL[] archives() {
        return ARCHIVES.stream().map(path -> {
            try {
                return Path.of(path).toUri().toURL();
            } catch (java.net.MalformedURLException error) {
                throw new IllegalArgumentException(error);
            }
        }).toArray(java.net.URL[]::new);
    }

    static String classPath() {
        return String.join(java.io.File.pathSeparator, CLASSES.toString(), String.join(java.io.File.pathSeparator, ARCHIVES));
    }

    /** Loads a version's own classes, then those of the program as it was, then those of the archives. */
    static class Loader extends java.net.URLClassLoader {
        final Map<String, ByteArrayOutputStream> made;

        Loader(Map<String, ByteArrayOutputStream> made) {
            super(archives(), ClassLoader.getPlatformClassLoader());
            this.made = made;
            setDefaultAssertionStatus(true);
        }

        @Override
        protected Class<?> findClass(String name) throws ClassNotFoundException {
            try {
                ByteArrayOutputStream own = made.get(name);
                Path known = CLASSES.resolve(name.replace('.', '/') + ".class");
                if (own == null && !Files.exists(known)) {
                    return super.findClass(name);
                }
                byte[] bytes = own != null ? own.toByteArray() : Files.readAllBytes(known);
                return defineClass(name, bytes, 0, bytes.length);
            } catch (IOException error) {
                throw new ClassNotFoundException(name, error);
            }
        }
    }

    static Map<String, ByteArrayOutputStream> compiled(List<Source> sources, JavaFileManager files) {
        List<Text> units = new ArrayList<>();
        sources.forEach(source -> units.add(new Text(source)));
        Memory memory = new Memory(files);
        List<String> options = List.of("-classpath", classPath(), "-proc:none", "-nowarn", "-XDuseUnsharedTable");
        boolean fine = COMPILER.getTask(new java.io.StringWriter(),
                memory, ignored -> { }, options, null, units).call();
        return fine ? memory.made : null;
    }

    @SuppressWarnings({"deprecation", "removal"})
    static String ran(Map<String, ByteArrayOutputStream> made, String main, long limit) throws InterruptedException {
        boolean[] passed = {false};
        Thread thread = new Thread(null, () -> {
            try {
                Class<?> type = Class.forName(main, true, new Loader(made));
                var method = type.getDeclaredMethod("main", String[].class);
                method.setAccessible(true);
                method.invoke(null, (Object) ARGUMENTS.toArray(new String[0]));
                passed[0] = true;
            } catch (java.lang.reflect.InvocationTargetException error) {
                passed[0] = error.getCause() instanceof Exit exit && exit.code == 0;
            } catch (Throwable error) {
                passed[0] = false;
            }
        }, "candidate", 16 << 20);
        thread.setDaemon(true);
        thread.start();
        thread.join(limit);
        if (thread.isAlive()) {
            for (int tries = 0; tries < 20 && thread.isAlive(); tries++) {
                thread.stop();
                thread.join(20);
            }
            return "time";
        }
        return passed[0] ? "pass" : "fail";
    }

    @SuppressWarnings("removal")
    public static void main(String[] arguments) throws Exception {
        DataInputStream in = new DataInputStream(new ByteArrayInputStream(Files.readAllBytes(Path.of("plan.bin"))));
        List<Source> all = sources(in);
        String main = text(in);
        ARGUMENTS.addAll(texts(in));
        ARCHIVES.addAll(texts(in));
        double seconds = in.readDouble();
        long limit = (long) (in.readDouble() * 1000);
        int workers = in.readInt();
        List<Candidate> candidates = new ArrayList<>();
        for (int count = in.readInt(); count > 0; count--) {
            candidates.add(new Candidate(in.readInt(), sources(in)));
        }
        long until = System.nanoTime() + (long) (seconds * 1e9);
        Files.createDirectories(CLASSES);
        List<Text> units = new ArrayList<>();
        all.forEach(source -> units.add(new Text(source)));
        try (JavaFileManager files = COMPILER.getStandardFileManager(null, null, StandardCharsets.UTF_8)) {
            COMPILER.getTask(new java.io.StringWriter(), files, ignored -> { },
                    List.of("-classpath", classPath(), "-d", CLASSES.toString(), "-proc:none", "-nowarn"), null, units).call();
        }
        System.setOut(new PrintStream(OutputStream.nullOutputStream()));
        System.setErr(new PrintStream(OutputStream.nullOutputStream()));
        System.setSecurityManager(new SecurityManager() {
            @Override
            public void checkExit(int code) {
                if (Thread.currentThread().getName().equals("candidate")) {
                    throw new Exit(code);
                }
            }

            @Override
            public void checkPermission(java.security.Permission permission) {
            }
        });
        AtomicInteger next = new AtomicInteger();
        List<Thread> threads = new ArrayList<>();
        for (int worker = 0; worker < workers; worker++) {
            Thread thread = new Thread(() -> {
                JavaFileManager files = COMPILER.getStandardFileManager(null, null, StandardCharsets.UTF_8);
                for (int at = next.getAndIncrement(); at < candidates.size(); at = next.getAndIncrement()) {
                    if (System.nanoTime() > until) {
                        return;
                    }
                    Candidate candidate = candidates.get(at);
                    String verdict;
                    try {
                        Map<String, ByteArrayOutputStream> made = compiled(candidate.changed(), files);
                        verdict = made == null ? "broken" : ran(made, main, limit);
                    } catch (Throwable error) {
                        verdict = "died";
                    }
                    synchronized (OUT) {
                        OUT.println(candidate.number() + " " + verdict);
                        OUT.flush();
                    }
                }
            });
            thread.start();
            threads.add(thread);
        }
        for (Thread thread : threads) {
            thread.join();
        }
        OUT.println("end");
        OUT.flush();
        Runtime.getRuntime().halt(0);
    }
}
