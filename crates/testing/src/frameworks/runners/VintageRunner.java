import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.runner.Description;
import org.junit.runner.JUnitCore;
import org.junit.runner.Request;
import org.junit.runner.manipulation.Filter;
import org.junit.runner.notification.Failure;
import org.junit.runner.notification.RunListener;

/** Runs the tests of JUnit 4 below a folder of classes, and tells of each as it starts and ends. */
public class VintageRunner extends RunListener {
    private final Telling telling;
    private Failure failure;
    private boolean assumption;

    VintageRunner(Telling telling) {
        this.telling = telling;
    }

    public static void main(String[] arguments) throws Exception {
        Telling telling = new Telling(arguments);
        Path root = Path.of("/tmp/classes");
        List<Path> files;
        try (Stream<Path> found = Files.walk(root)) {
            files = found.filter(path -> path.toString().endsWith(".class")).sorted().collect(Collectors.toList());
        }
        List<Class<?>> tests = new ArrayList<>();
        for (Path file : files) {
            String name = root.relativize(file).toString().replaceAll("\\.class$", "").replace('/', '.');
            Class<?> type = Class.forName(name, false, VintageRunner.class.getClassLoader());
            boolean own = type.isAnnotationPresent(org.junit.runner.RunWith.class);
            for (java.lang.reflect.Method method : type.getMethods()) own |= method.isAnnotationPresent(org.junit.Test.class);
            if (own && !java.lang.reflect.Modifier.isAbstract(type.getModifiers())) tests.add(type);
        }
        JUnitCore core = new JUnitCore();
        core.addListener(new VintageRunner(telling));
        for (Class<?> type : tests) {
            Request request = Request.aClass(type).filterWith(new Filter() {
                @Override
                public boolean shouldRun(Description test) {
                    if (test.isTest()) return telling.isWanted(id(test));
                    return test.getChildren().stream().anyMatch(this::shouldRun);
                }

                @Override
                public String describe() {
                    return "tests that are wanted";
                }
            });
            if (Stream.of(request.getRunner().getDescription()).anyMatch(test -> !test.toString().startsWith("initializationError(org.junit.runner.manipulation"))) core.run(request);
        }
        telling.finish();
    }

    private static String id(Description test) {
        return test.getClassName() + "::" + (test.getMethodName() == null ? "(the whole class)" : test.getMethodName());
    }

    @Override
    public void testStarted(Description test) {
        failure = null;
        assumption = false;
        telling.start(id(test));
    }

    @Override
    public void testFailure(Failure found) {
        if (found.getDescription().isTest()) {
            failure = found;
        } else if (!String.valueOf(found.getMessage()).startsWith("No tests found matching")) {
            telling.end(id(found.getDescription()), "errored", null, found.getException());
        }
    }

    @Override
    public void testAssumptionFailure(Failure found) {
        failure = found;
        assumption = true;
    }

    @Override
    public void testFinished(Description test) {
        if (failure == null) telling.end(id(test), "passed", null, null);
        else if (assumption) telling.end(id(test), "skipped", failure.getMessage(), null);
        else telling.end(id(test), null, null, failure.getException());
    }

    @Override
    public void testIgnored(Description test) {
        org.junit.Ignore why = test.getAnnotation(org.junit.Ignore.class);
        telling.end(id(test), "skipped", why == null ? "" : why.value(), null);
    }
}
