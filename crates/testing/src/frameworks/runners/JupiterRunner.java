import java.nio.file.Path;
import java.util.Set;
import org.junit.platform.engine.TestExecutionResult;
import org.junit.platform.engine.discovery.DiscoverySelectors;
import org.junit.platform.engine.support.descriptor.ClassSource;
import org.junit.platform.engine.support.descriptor.MethodSource;
import org.junit.platform.launcher.LauncherDiscoveryRequest;
import org.junit.platform.launcher.TestExecutionListener;
import org.junit.platform.launcher.TestIdentifier;
import org.junit.platform.launcher.core.LauncherDiscoveryRequestBuilder;
import org.junit.platform.launcher.core.LauncherFactory;

/** Runs the tests of JUnit 5 below a folder of classes, and tells of each as it starts and ends. */
public class JupiterRunner implements TestExecutionListener {
    private final Telling telling;

    JupiterRunner(Telling telling) {
        this.telling = telling;
    }

    public static void main(String[] arguments) throws Exception {
        Telling telling = new Telling(arguments);
        LauncherDiscoveryRequest request = LauncherDiscoveryRequestBuilder.request()
                .selectors(DiscoverySelectors.selectClasspathRoots(Set.of(Path.of("/tmp/classes"))))
                .filters((org.junit.platform.launcher.PostDiscoveryFilter) test -> {
                    boolean own = !test.isTest() || telling.isWanted(id(test.getUniqueId().toString(), test.getSource().orElse(null), test.getDisplayName()));
                    return own ? org.junit.platform.engine.FilterResult.included("") : org.junit.platform.engine.FilterResult.excluded("");
                })
                .build();
        LauncherFactory.create().execute(request, new JupiterRunner(telling));
        telling.finish();
    }

    private static String id(String unique, Object source, String display) {
        if (source instanceof MethodSource) {
            MethodSource method = (MethodSource) source;
            boolean repeated = unique.contains("-invocation:");
            return method.getClassName() + "::" + method.getMethodName() + (repeated ? " " + display : "");
        }
        return (source instanceof ClassSource ? ((ClassSource) source).getClassName() : unique) + "::" + display;
    }

    private static String id(TestIdentifier test) {
        return id(test.getUniqueId(), test.getSource().orElse(null), test.getDisplayName());
    }

    @Override
    public void executionStarted(TestIdentifier test) {
        if (test.isTest()) telling.start(id(test));
    }

    @Override
    public void executionSkipped(TestIdentifier test, String reason) {
        telling.end(id(test), "skipped", reason, null);
    }

    @Override
    public void executionFinished(TestIdentifier test, TestExecutionResult result) {
        if (!test.isTest() && result.getStatus() == TestExecutionResult.Status.SUCCESSFUL) return;
        Throwable error = result.getThrowable().orElse(null);
        switch (result.getStatus()) {
            case SUCCESSFUL: telling.end(id(test), "passed", null, null); break;
            case ABORTED: telling.end(id(test), "skipped", error == null ? "" : error.getMessage(), null); break;
            default: telling.end(id(test), test.isTest() ? null : "errored", null, error);
        }
    }
}
