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
import java.util.concurrent.atomic.AtomicLong;
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

    /** Bytes of a file that become others. */
    record Edit(String path, int start, int end, String text) {}

    record Candidate(int number, List<Edit> edits) {}

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

    static List<Edit> edits(DataInputStream in) throws IOException {
        List<Edit> all = new ArrayList<>();
        for (int count = in.readInt(); count > 0; count--) {
            all.add(new Edit(text(in), in.readInt(), in.readInt(), text(in)));
        }
        return all;
    }

    /** The changed files of a version. */
    static List<Source> changed(List<Edit> edits, Map<String, byte[]> texts) {
        Map<String, byte[]> changed = new java.util.HashMap<>();
        List<Edit> fromTheEnd = new ArrayList<>(edits);
        fromTheEnd.sort(java.util.Comparator.comparingInt(Edit::start).reversed());
        for (Edit edit : fromTheEnd) {
            byte[] old = changed.getOrDefault(edit.path(), texts.get(edit.path()));
            ByteArrayOutputStream made = new ByteArrayOutputStream();
            made.write(old, 0, edit.start());
            made.writeBytes(edit.text().getBytes(StandardCharsets.UTF_8));
            made.write(old, edit.end(), old.length - edit.end());
            changed.put(edit.path(), made.toByteArray());
        }
        List<Source> all = new ArrayList<>();
        changed.forEach((path, bytes) -> all.add(new Source(path, new String(bytes, StandardCharsets.UTF_8))));
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

    /** What lies in archives is loaded once: it is the same for every version. */
    static ClassLoader libraries() {
        return new java.net.URLClassLoader(ARCHIVES.stream().map(path -> {
            try {
                return Path.of(path).toUri().toURL();
            } catch (java.net.MalformedURLException error) {
                throw new IllegalArgumentException(error);
            }
        }).toArray(java.net.URL[]::new), ClassLoader.getPlatformClassLoader());
    }

    static ClassLoader libraries;
    static final Map<String, byte[]> AS_IT_WAS = new ConcurrentHashMap<>();

    static String classPath() {
        return String.join(java.io.File.pathSeparator, CLASSES.toString(), String.join(java.io.File.pathSeparator, ARCHIVES));
    }

    /** Archives by name; a folder's `*` stands for all that lie in it. */
    static List<String> archivesOf(List<String> entries) throws IOException {
        List<String> all = new ArrayList<>();
        for (String entry : entries) {
            if (!entry.endsWith("*")) {
                all.add(entry);
                continue;
            }
            Path folder = Path.of(entry.substring(0, entry.length() - 1).isEmpty() ? "." : entry.substring(0, entry.length() - 1));
            if (Files.isDirectory(folder)) {
                try (var found = Files.list(folder)) {
                    found.map(Path::toString).filter(name -> name.endsWith(".jar")).sorted().forEach(all::add);
                }
            }
        }
        return all;
    }

    /** What a runner of tests is given: it finds them by name, not in folders that it looks through itself. */
    static List<String> argumentsOf(List<String> given, List<Source> sources) {
        List<String> all = new ArrayList<>();
        for (String word : given) {
            if (!word.startsWith("--scan-class")) {
                all.add(word);
                continue;
            }
            for (Source source : sources) {
                if (source.text().contains("@Test") || source.text().contains("@ParameterizedTest")) {
                    var named = java.util.regex.Pattern.compile("(?m)^\\s*package\\s+([\\w.]+)\\s*;").matcher(source.text());
                    String stem = Path.of(source.path()).getFileName().toString().replaceFirst("\\.java$", "");
                    all.add("--select-class=" + (named.find() ? named.group(1) + "." : "") + stem);
                }
            }
        }
        return all;
    }

    /** The class that an archive starts with. */
    static String mainOf(String named) throws IOException {
        if (!named.endsWith(".jar")) {
            return named;
        }
        try (var archive = new java.util.jar.JarFile(named)) {
            return archive.getManifest().getMainAttributes().getValue("Main-Class");
        }
    }

    /** Loads a version's own classes, then those of the program as it was. */
    static class Loader extends ClassLoader {
        final Map<String, ByteArrayOutputStream> made;

        Loader(Map<String, ByteArrayOutputStream> made) {
            super(libraries);
            this.made = made;
            setDefaultAssertionStatus(true);
        }

        @Override
        protected Class<?> findClass(String name) throws ClassNotFoundException {
            ByteArrayOutputStream own = made.get(name);
            byte[] bytes = own != null ? own.toByteArray() : AS_IT_WAS.get(name);
            if (bytes == null) {
                throw new ClassNotFoundException(name);
            }
            return defineClass(name, bytes, 0, bytes.length);
        }

        @Override
        protected java.net.URL findResource(String name) {
            try {
                Path known = Path.of(name);
                return Files.exists(known) ? known.toUri().toURL() : null;
            } catch (java.net.MalformedURLException error) {
                return null;
            }
        }
    }

    /** A compiler's view of the files: its class path is set once, so that it keeps what it has read. */
    static JavaFileManager view() throws IOException {
        var files = COMPILER.getStandardFileManager(null, null, StandardCharsets.UTF_8);
        List<java.io.File> path = new ArrayList<>(List.of(CLASSES.toFile()));
        ARCHIVES.forEach(name -> path.add(new java.io.File(name)));
        files.setLocation(javax.tools.StandardLocation.CLASS_PATH, path);
        return files;
    }

    /** A compiler that keeps what it has read of the class path and of the language's own classes. */
    static class Compiler {
        final com.sun.tools.javac.api.JavacTaskPool pool = new com.sun.tools.javac.api.JavacTaskPool(1);
        final Memory memory;

        Compiler() throws IOException {
            memory = new Memory(view());
        }

        /** The classes of these sources; nothing where they do not compile. */
        Map<String, ByteArrayOutputStream> compiled(List<Source> sources) {
            List<Text> units = new ArrayList<>();
            sources.forEach(source -> units.add(new Text(source)));
            memory.made.clear();
            boolean fine = pool.getTask(new java.io.StringWriter(), memory, ignored -> { },
                    List.of("-proc:none", "-nowarn"), null, units, com.sun.source.util.JavacTask::call);
            return fine ? Map.copyOf(memory.made) : null;
        }
    }

    /** All threads of a candidate, those that its tests started too. */
    static List<Thread> threadsOf(ThreadGroup group) {
        Thread[] found = new Thread[64];
        int count = group.enumerate(found, true);
        return List.of(java.util.Arrays.copyOf(found, count));
    }

    static final java.lang.management.ThreadMXBean CLOCK = java.lang.management.ManagementFactory.getThreadMXBean();

    static long spent(ThreadGroup group) {
        return threadsOf(group).stream().mapToLong(thread -> Math.max(0, CLOCK.getThreadCpuTime(thread.getId()))).sum();
    }

    @SuppressWarnings({"deprecation", "removal"})
    static void end(ThreadGroup group, Thread thread) throws InterruptedException {
        for (int tries = 0; tries < 20; tries++) {
            List<Thread> alive = threadsOf(group);
            if (alive.isEmpty()) {
                return;
            }
            alive.forEach(Thread::stop);
            thread.join(20);
        }
    }

    /** Runs tests of JUnit 4, those that failed before first, up to the first failure. Compiled where JUnit is known. */
    static final String UNIT = """
            import java.util.*;
            import org.junit.runner.*;
            import org.junit.runner.notification.*;

            public class FormicaryUnit extends RunListener {
                static final Set<String> FAILED = Collections.synchronizedSet(new HashSet<>());
                final RunNotifier notifier = new RunNotifier();
                final boolean first;
                boolean failed;
                int passed;

                FormicaryUnit(boolean first) {
                    this.first = first;
                }

                @Override
                public void testFailure(Failure failure) {
                    failed = true;
                    if (first) {
                        FAILED.add(failure.getDescription().getDisplayName());
                    } else {
                        notifier.pleaseStop();
                    }
                }

                @Override
                public void testFinished(Description test) {
                    passed += failed ? 0 : 1;
                }

                static int rank(Description test) {
                    return FAILED.contains(test.getDisplayName()) ? 0 : 1;
                }

                public static int[] run(Class<?>[] tests, boolean first) {
                    FormicaryUnit own = new FormicaryUnit(first);
                    own.notifier.addListener(own);
                    Request request = Request.classes(tests);
                    if (!FAILED.isEmpty()) {
                        request = request.sortWith(Comparator.comparingInt(FormicaryUnit::rank));
                    }
                    try {
                        request.getRunner().run(own.notifier);
                    } catch (StoppedByUserException stopped) {
                        own.failed = true;
                    }
                    return new int[] {own.failed ? 0 : 1, own.passed};
                }
            }
            """;

    /** Knows the archives and the runner above: the same for every version, too. */
    static ClassLoader withUnit(ClassLoader archives) throws IOException {
        Map<String, ByteArrayOutputStream> made = new Compiler().compiled(List.of(new Source("FormicaryUnit.java", UNIT)));
        return new ClassLoader(archives) {
            @Override
            protected Class<?> findClass(String name) throws ClassNotFoundException {
                if (made == null || !made.containsKey(name)) {
                    throw new ClassNotFoundException(name);
                }
                byte[] bytes = made.get(name).toByteArray();
                return defineClass(name, bytes, 0, bytes.length);
            }
        };
    }

    /** Whether the tests of JUnit 4 pass, and how many do before the first that does not. */
    static int[] unit(ClassLoader loader, boolean first) throws ReflectiveOperationException {
        List<Class<?>> tests = new ArrayList<>();
        for (String name : ARGUMENTS) {
            tests.add(Class.forName(name, true, loader));
        }
        return (int[]) Class.forName("FormicaryUnit", true, loader).getMethod("run", Class[].class, boolean.class)
                .invoke(null, tests.toArray(new Class<?>[0]), first);
    }

    /** Runs a version for so many nanoseconds of processor time, and some times that by the clock. */
    static String ran(Map<String, ByteArrayOutputStream> made, String main, long limit, boolean first)
            throws InterruptedException {
        boolean[] passed = {false};
        int[] count = {0};
        ThreadGroup group = new ThreadGroup("candidate");
        Thread thread = new Thread(group, () -> {
            try {
                Loader loader = new Loader(made);
                Thread.currentThread().setContextClassLoader(loader);
                if (main.equals("org.junit.runner.JUnitCore")) {
                    int[] told = unit(loader, first);
                    passed[0] = told[0] == 1;
                    count[0] = told[1];
                    return;
                }
                Class<?> type = Class.forName(main, true, loader);
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
        long started = System.nanoTime();
        thread.start();
        thread.join(Math.max(5, limit / 4_000_000));
        while (thread.isAlive()) {
            long wall = System.nanoTime() - started;
            if (spent(group) > limit || wall > 6 * limit + 500_000_000L) {
                break;
            }
            thread.join(Math.max(2, limit / 10_000_000));
        }
        boolean late = thread.isAlive();
        end(group, thread);
        return late ? "time" : passed[0] ? "pass" : "fail " + count[0];
    }

    @SuppressWarnings("removal")
    public static void main(String[] arguments) throws Exception {
        DataInputStream in = new DataInputStream(new ByteArrayInputStream(Files.readAllBytes(Path.of("plan.bin"))));
        List<Source> all = sources(in);
        Map<String, byte[]> texts = new java.util.HashMap<>();
        sources(in).forEach(source -> texts.put(source.path(), source.text().getBytes(StandardCharsets.UTF_8)));
        String named = text(in);
        ARGUMENTS.addAll(argumentsOf(texts(in), all));
        ARCHIVES.addAll(archivesOf(texts(in)));
        String folders = String.join(java.io.File.pathSeparator, texts(in));
        String main = mainOf(named);
        double seconds = in.readDouble();
        long most = (long) (in.readDouble() * 1e9);
        int workers = in.readInt();
        List<Candidate> candidates = new ArrayList<>();
        for (int count = in.readInt(); count > 0; count--) {
            candidates.add(new Candidate(in.readInt(), edits(in)));
        }
        long began = System.nanoTime();
        AtomicLong until = new AtomicLong(began + (long) (seconds * 1e9));
        Files.createDirectories(CLASSES);
        List<Text> units = new ArrayList<>();
        all.forEach(source -> units.add(new Text(source)));
        try (JavaFileManager files = COMPILER.getStandardFileManager(null, null, StandardCharsets.UTF_8)) {
            COMPILER.getTask(new java.io.StringWriter(), files, ignored -> { },
                    List.of("-classpath", classPath(), "-sourcepath", folders, "-implicit:class", "-d", CLASSES.toString(),
                            "-proc:none", "-nowarn"), null, units).call();
        }
        try (var found = Files.walk(CLASSES)) {
            for (Path path : found.filter(path -> path.toString().endsWith(".class")).toList()) {
                String name = CLASSES.relativize(path).toString().replace('/', '.');
                AS_IT_WAS.put(name.substring(0, name.length() - 6), Files.readAllBytes(path));
            }
        }
        libraries = libraries();
        if (main.equals("org.junit.runner.JUnitCore")) {
            libraries = withUnit(libraries);
        }
        System.setOut(new PrintStream(OutputStream.nullOutputStream()));
        System.setErr(new PrintStream(OutputStream.nullOutputStream()));
        System.setSecurityManager(new SecurityManager() {
            @Override
            public void checkExit(int code) {
                for (ThreadGroup group = Thread.currentThread().getThreadGroup(); group != null; group = group.getParent()) {
                    if (group.getName().equals("candidate")) {
                        throw new Exit(code);
                    }
                }
            }

            @Override
            public void checkPermission(java.security.Permission permission) {
            }
        });
        // The program as it is, twice: it warms up what every version needs, and tells how long one may take.
        ran(Map.of(), main, most, true);
        long before = System.nanoTime();
        boolean ended = !ran(Map.of(), main, most, false).equals("time");
        long limit = ended ? Math.min(most, Math.max(150_000_000L, 8 * (System.nanoTime() - before))) : Math.min(most, 300_000_000L);
        AtomicInteger next = new AtomicInteger();
        List<Thread> threads = new ArrayList<>();
        for (int worker = 0; worker < workers; worker++) {
            Thread thread = new Thread(() -> {
                Compiler compiler;
                try {
                    compiler = new Compiler();
                } catch (IOException error) {
                    return;
                }
                for (int at = next.getAndIncrement(); at < candidates.size(); at = next.getAndIncrement()) {
                    if (System.nanoTime() > until.get()) {
                        return;
                    }
                    Candidate candidate = candidates.get(at);
                    String verdict;
                    try {
                        var made = compiler.compiled(changed(candidate.edits(), texts));
                        verdict = made == null ? "broken" : ran(made, main, limit, false);
                    } catch (Throwable error) {
                        verdict = "died";
                    }
                    synchronized (OUT) {
                        OUT.println(candidate.number() + " " + verdict);
                        OUT.flush();
                    }
                    if (verdict.equals("pass")) {
                        // Others that pass are near, or nobody needs them.
                        long now = System.nanoTime();
                        long more = (long) Math.max(1.5e9, Math.min(8e9, 0.7 * (now - began)));
                        until.accumulateAndGet(now + more, Math::min);
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
