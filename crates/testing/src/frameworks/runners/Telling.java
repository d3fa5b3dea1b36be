import java.io.FileWriter;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.Set;

/** Writes one JSON object a line for each test that starts or ends; ends the process where a test takes too long. */
class Telling {
    private final FileWriter out;
    private final Set<String> done;
    private final String filter;
    private final double seconds;
    private volatile long began;
    private volatile String running;

    Telling(String[] arguments) throws IOException {
        out = new FileWriter("/work/.formicary-tests/events.jsonl", true);
        done = new HashSet<>(Files.readAllLines(Path.of("/work/.formicary-tests/done.txt")));
        seconds = Double.parseDouble(arguments[0]);
        filter = arguments.length > 1 ? arguments[1] : "";
        Thread watch = new Thread(this::watch);
        watch.setDaemon(true);
        if (seconds > 0) watch.start();
    }

    boolean isWanted(String id) {
        return !done.contains(id) && id.contains(filter);
    }

    private void watch() {
        while (true) {
            try {
                Thread.sleep(20);
            } catch (InterruptedException error) {
                return;
            }
            String late = running;
            if (late != null && System.nanoTime() - began > seconds * 1e9) {
                end(late, "timed_out", "longer than " + seconds + " s", null);
                Runtime.getRuntime().halt(124);
            }
        }
    }

    synchronized void start(String id) {
        began = System.nanoTime();
        running = id;
        write("{\"event\":\"start\",\"id\":" + quoted(id) + "}");
    }

    synchronized void end(String id, String status, String message, Throwable error) {
        double took = id.equals(running) ? (System.nanoTime() - began) / 1e9 : 0;
        running = null;
        StringBuilder line = new StringBuilder("{\"event\":\"end\",\"id\":").append(quoted(id)).append(",\"seconds\":").append(took);
        if (error != null) {
            String name = error.getClass().getName();
            boolean late = name.contains("Timeout") || name.contains("TimedOut") || String.valueOf(error.getMessage()).contains("timed out after");
            boolean asserted = error instanceof AssertionError;
            if (status == null) status = late ? "timed_out" : asserted ? "failed" : "errored";
            message = asserted && error.getMessage() != null ? error.getMessage() : error.toString();
            StringWriter trace = new StringWriter();
            error.printStackTrace(new PrintWriter(trace));
            line.append(",\"output\":").append(quoted(trace.toString()));
            String type = id.split("::")[0];
            for (StackTraceElement frame : error.getStackTrace()) {
                if (frame.getClassName().equals(type) && frame.getLineNumber() > 0) {
                    int dot = type.lastIndexOf('.');
                    String folder = dot < 0 ? "" : type.substring(0, dot + 1).replace('.', '/');
                    line.append(",\"file\":").append(quoted(folder + frame.getFileName())).append(",\"line\":").append(frame.getLineNumber());
                    break;
                }
            }
        }
        if (message != null) line.append(",\"message\":").append(quoted(message));
        write(line.append(",\"status\":").append(quoted(status)).append('}').toString());
    }

    void finish() {
        write("{\"event\":\"finished\"}");
        System.exit(0);
    }

    private synchronized void write(String line) {
        try {
            out.write(line + "\n");
            out.flush();
        } catch (IOException error) {
            System.err.println(error);
        }
    }

    private static String quoted(String text) {
        StringBuilder made = new StringBuilder("\"");
        for (char letter : String.valueOf(text).toCharArray()) {
            if (letter == '"' || letter == '\\') made.append('\\').append(letter);
            else if (letter < 32 || letter > 126) made.append(String.format("\\u%04x", (int) letter));
            else made.append(letter);
        }
        return made.append('"').toString();
    }
}
