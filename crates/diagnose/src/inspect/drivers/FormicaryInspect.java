// Runs a Java program in a machine of its own through the Java Debug Interface and obeys commands: one JSON object a
// line, in and out. The program's own output goes to stderr, its input comes from a file.
import com.sun.jdi.*;
import com.sun.jdi.connect.Connector;
import com.sun.jdi.connect.LaunchingConnector;
import com.sun.jdi.event.*;
import com.sun.jdi.request.*;
import java.io.*;
import java.nio.charset.StandardCharsets;
import java.nio.file.*;
import java.util.*;
import java.util.regex.*;

public class FormicaryInspect {
    static final int FRAMES = 50, VARIABLES = 40, ITEMS = 8, TEXT = 600;
    static final BufferedReader ears = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
    static final PrintStream mouth = new PrintStream(new FileOutputStream(FileDescriptor.out), true, StandardCharsets.UTF_8);
    static final List<Map<String, Object>> orders = new ArrayList<>();
    static final Map<EventRequest, Map<String, Object>> points = new HashMap<>();
    static VirtualMachine vm;
    static Path home;
    static String entry;
    static boolean raised;
    static boolean running;

    public static void main(String[] arguments) throws Exception {
        home = Paths.get("").toAbsolutePath();
        entry = arguments[0];
        String classes = arguments[1];
        say("event", "ready");
        for (;;) {
            Map<String, Object> order = hear();
            if ("continue".equals(order.get("do"))) {
                say("id", order.get("id"), "ok", true);
                break;
            }
            obey(order, null);
        }
        LaunchingConnector connector = Bootstrap.virtualMachineManager().defaultConnector();
        Map<String, Connector.Argument> launch = connector.defaultArguments();
        StringBuilder line = new StringBuilder(mainClass());
        for (int i = 2; i < arguments.length; i++) line.append(" \"").append(arguments[i].replace("\"", "")).append('"');
        launch.get("main").setValue(line.toString());
        launch.get("options").setValue("-cp \"" + classes + "\" -Xshare:auto -XX:TieredStopAtLevel=1");
        launch.get("suspend").setValue("true");
        vm = connector.launch(launch);
        running = true;
        Process process = vm.process();
        Thread out = pump(process.getInputStream()), error = pump(process.getErrorStream());
        Path given = home.resolve("formicary-stdin");
        Thread feeder = new Thread(() -> {
            try (OutputStream to = process.getOutputStream()) {
                if (Files.exists(given)) Files.copy(given, to);
            } catch (IOException ended) {
                return;
            }
        });
        feeder.setDaemon(true);
        feeder.start();
        EventRequestManager requests = vm.eventRequestManager();
        ExceptionRequest thrown = requests.createExceptionRequest(null, true, true);
        thrown.setSuspendPolicy(EventRequest.SUSPEND_ALL);
        thrown.enable();
        ClassPrepareRequest prepared = requests.createClassPrepareRequest();
        prepared.addSourceNameFilter("*.java");
        prepared.setSuspendPolicy(EventRequest.SUSPEND_ALL);
        prepared.enable();
        loop();
        out.join(2000);
        error.join(2000);
        int code = process.waitFor();
        say("event", "exited", "code", code);
        System.exit(code);
    }

    static Thread pump(InputStream from) {
        Thread thread = new Thread(() -> {
            try {
                from.transferTo(System.err);
            } catch (IOException ended) {
                return;
            }
        });
        thread.start();
        return thread;
    }

    static String mainClass() throws IOException {
        String text = Files.readString(home.resolve(entry));
        Matcher pack = Pattern.compile("(?m)^\\s*package\\s+([\\w.]+)\\s*;").matcher(text);
        Matcher found = Pattern.compile("(?:class|record|enum|interface)\\s+(\\w+)").matcher(text);
        int main = text.indexOf("static void main");
        String name = entry.replaceAll(".*/|\\.java$", "");
        // The last one before `main` that stands in no other.
        while (found.find() && (main < 0 || found.start() < main)) {
            String before = text.substring(0, found.start());
            long depth = before.chars().filter(c -> c == '{').count() - before.chars().filter(c -> c == '}').count();
            if (depth == 0) name = found.group(1);
        }
        return (pack.find() ? pack.group(1) + "." : "") + name;
    }

    static void loop() throws Exception {
        for (;;) {
            EventSet events = vm.eventQueue().remove();
            boolean resume = true;
            for (Event event : events) {
                if (event instanceof VMDeathEvent || event instanceof VMDisconnectEvent) {
                    if (event instanceof VMDisconnectEvent) return;
                } else if (event instanceof ClassPrepareEvent one) {
                    for (Map<String, Object> order : orders) place(one.referenceType(), order);
                } else if (event instanceof ExceptionEvent one) {
                    boolean uncaught = one.catchLocation() == null;
                    if (uncaught && ownFrame(one.thread()) != null || raised && own(one.location())) {
                        resume = stop("exception", describe(one.exception()), one.thread());
                    }
                } else if (event instanceof BreakpointEvent one) {
                    Map<String, Object> order = points.get(one.request());
                    StackFrame frame = one.thread().frame(0);
                    if (order == null || holds((String) order.get("condition"), frame)) {
                        String log = order == null ? null : (String) order.get("log");
                        if (log != null) say("event", "log", "text", filled(log, frame));
                        else resume = stop("breakpoint", "", one.thread());
                    }
                } else if (event instanceof StepEvent one) {
                    vm.eventRequestManager().deleteEventRequest(one.request());
                    resume = own(one.location()) ? stop("step", "", one.thread()) : true;
                }
            }
            if (resume) events.resume();
        }
    }

    static StackFrame ownFrame(ThreadReference thread) throws IncompatibleThreadStateException {
        for (StackFrame frame : thread.frames()) if (own(frame.location())) return frame;
        return null;
    }

    static boolean own(Location location) {
        return location != null && sourceOf(location) != null;
    }

    static String sourceOf(Location location) {
        try {
            String path = location.sourcePath();
            if (Files.exists(home.resolve(path))) return path;
            String name = location.sourceName();
            if (Files.exists(home.resolve(name))) return name;
        } catch (AbsentInformationException unknown) {
            return null;
        }
        return null;
    }

    /** Tells and obeys until the program may go on. Whether to resume. */
    static boolean stop(String reason, String text, ThreadReference thread) throws Exception {
        List<Object> told = new ArrayList<>();
        for (StackFrame frame : thread.frames().subList(0, Math.min(FRAMES, thread.frameCount()))) {
            Location at = frame.location();
            Map<String, Object> one = new LinkedHashMap<>();
            one.put("function", at.declaringType().name() + "." + at.method().name());
            String source = sourceOf(at);
            one.put("file", source);
            one.put("line", at.lineNumber() > 0 ? at.lineNumber() : null);
            one.put("own", source != null);
            one.put("variables", source == null ? List.of() : variables(frame));
            told.add(one);
        }
        say("event", "stopped", "reason", reason, "text", text, "frames", told);
        for (;;) {
            Map<String, Object> order = hear();
            String word = (String) order.get("do");
            Integer depth = word == null ? null : switch (word) {
                case "next" -> StepRequest.STEP_OVER;
                case "step" -> StepRequest.STEP_INTO;
                case "out" -> StepRequest.STEP_OUT;
                default -> null;
            };
            if (depth != null || "continue".equals(word)) {
                say("id", order.get("id"), "ok", true);
                if (depth != null) {
                    EventRequestManager requests = vm.eventRequestManager();
                    requests.deleteEventRequests(new ArrayList<>(requests.stepRequests()));
                    StepRequest step = requests.createStepRequest(thread, StepRequest.STEP_LINE, depth);
                    for (String library : List.of("java.*", "javax.*", "sun.*", "jdk.*", "com.sun.*")) step.addClassExclusionFilter(library);
                    step.enable();
                }
                return true;
            }
            obey(order, thread);
        }
    }

    static List<Object> variables(StackFrame frame) {
        List<Object> found = new ArrayList<>();
        try {
            for (LocalVariable variable : frame.visibleVariables()) {
                if (found.size() == VARIABLES) break;
                found.add(variable(variable.name(), variable.typeName(), frame.getValue(variable)));
            }
        } catch (AbsentInformationException none) {
            return found;
        }
        ObjectReference self = frame.thisObject();
        if (self != null && found.size() < VARIABLES) found.add(variable("this", self.type().name(), self));
        return found;
    }

    static Object variable(String name, String type, Value value) {
        Map<String, Object> one = new LinkedHashMap<>();
        one.put("name", name);
        one.put("type", type.replaceFirst("^java\\.lang\\.", ""));
        one.put("value", cut(shown(value, 0)));
        return one;
    }

    /** A value as text; nothing of the program is called. */
    static String shown(Value value, int depth) {
        if (value == null) return "null";
        if (value instanceof StringReference text) return quote(cut(text.value()));
        if (value instanceof CharValue one) return "'" + one.value() + "'";
        if (value instanceof PrimitiveValue) return value.toString();
        if (value instanceof ArrayReference array) {
            if (depth >= 3) return "[...]";
            List<String> parts = new ArrayList<>();
            for (Value one : array.getValues(0, Math.min(ITEMS, array.length()))) parts.add(shown(one, depth + 1));
            if (array.length() > ITEMS) parts.add("... " + array.length() + " items");
            return "[" + String.join(", ", parts) + "]";
        }
        ObjectReference object = (ObjectReference) value;
        String name = object.referenceType().name();
        String simple = name.substring(name.lastIndexOf('.') + 1);
        Value inner = switch (name) {
            case "java.lang.Integer", "java.lang.Long", "java.lang.Double", "java.lang.Float", "java.lang.Short",
                "java.lang.Byte", "java.lang.Boolean", "java.lang.Character" -> field(object, "value");
            default -> null;
        };
        if (inner != null) return shown(inner, depth);
        if (depth >= 3) return simple;
        if (name.equals("java.util.ArrayList") && field(object, "elementData") instanceof ArrayReference data) {
            int size = ((IntegerValue) field(object, "size")).value();
            List<String> parts = new ArrayList<>();
            for (Value one : size == 0 ? List.<Value>of() : data.getValues(0, Math.min(ITEMS, size))) parts.add(shown(one, depth + 1));
            if (size > ITEMS) parts.add("... " + size + " items");
            return "[" + String.join(", ", parts) + "]";
        }
        if (name.startsWith("java.util.ImmutableCollections$List")) return fixed(object, depth);
        if (name.equals("java.util.HashMap") || name.equals("java.util.LinkedHashMap")) return map(object, depth);
        if (object.referenceType().name().matches("(java|jdk|sun|javax)\\..*")) return simple;
        List<String> parts = new ArrayList<>();
        for (Field one : object.referenceType().visibleFields()) {
            if (one.isStatic()) continue;
            if (parts.size() == ITEMS) {
                parts.add("...");
                break;
            }
            parts.add(one.name() + "=" + shown(object.getValue(one), depth + 1));
        }
        return simple + "{" + String.join(", ", parts) + "}";
    }

    /** What `List.of` makes. */
    static String fixed(ObjectReference object, int depth) {
        List<Value> found = new ArrayList<>();
        if (field(object, "elements") instanceof ArrayReference all) found.addAll(all.getValues());
        else for (String name : List.of("e0", "e1")) {
            Value one = field(object, name);
            if (one != null && !(one instanceof ObjectReference end && end.referenceType().name().equals("java.lang.Object"))) found.add(one);
        }
        List<String> parts = new ArrayList<>();
        for (Value one : found.subList(0, Math.min(ITEMS, found.size()))) parts.add(shown(one, depth + 1));
        if (found.size() > ITEMS) parts.add("... " + found.size() + " items");
        return "[" + String.join(", ", parts) + "]";
    }

    static String map(ObjectReference object, int depth) {
        List<String> parts = new ArrayList<>();
        if (field(object, "table") instanceof ArrayReference table) {
            for (Value bucket : table.getValues().subList(0, Math.min(4096, table.length()))) {
                for (Value node = bucket; node instanceof ObjectReference one && parts.size() < ITEMS; node = field(one, "next")) {
                    parts.add(shown(field(one, "key"), depth + 1) + "=" + shown(field(one, "value"), depth + 1));
                }
            }
        }
        int size = ((IntegerValue) field(object, "size")).value();
        if (size > parts.size()) parts.add("... " + size + " entries");
        return "{" + String.join(", ", parts) + "}";
    }

    static Value field(ObjectReference object, String name) {
        Field field = object.referenceType().fieldByName(name);
        return field == null ? null : object.getValue(field);
    }

    static String describe(ObjectReference error) {
        Value message = field(error, "detailMessage");
        return error.referenceType().name() + (message instanceof StringReference text ? ": " + cut(text.value()) : "");
    }

    static void obey(Map<String, Object> order, ThreadReference thread) {
        Object id = order.get("id");
        try {
            switch (String.valueOf(order.get("do"))) {
                case "quit" -> {
                    say("id", id, "ok", true);
                    if (running) vm.process().destroyForcibly();
                    System.exit(0);
                }
                case "catch" -> {
                    raised = "raised".equals(order.get("what"));
                    say("id", id, "ok", true);
                }
                case "break" -> {
                    if (order.get("file") == null) order.put("file", entry);
                    check(order);
                    orders.add(order);
                    Integer line = null;
                    for (ReferenceType type : running ? vm.allClasses() : List.<ReferenceType>of()) {
                        Integer at = place(type, order);
                        line = at == null ? line : at;
                    }
                    say("id", id, "ok", true, "line", line == null ? order.get("line") : line);
                }
                case "evaluate" -> {
                    if (thread == null) throw new IllegalArgumentException("the program does not stand still");
                    Object given = order.get("frame");
                    StackFrame frame = thread.frame(given instanceof Number number ? number.intValue() : 0);
                    Value value = path((String) order.get("expression"), frame);
                    say("id", id, "ok", true, "value", cut(shown(value, 0)), "type", value == null ? "null" : value.type().name());
                }
                default -> say("id", id, "error", "unknown command " + order.get("do"));
            }
        } catch (Exception error) {
            say("id", id, "error", cut(String.valueOf(error.getMessage())));
        }
    }

    static void check(Map<String, Object> order) throws IOException {
        if (order.get("function") != null) {
            Pattern declared = Pattern.compile("[\\w>\\]]\\s+" + Pattern.quote(last((String) order.get("function"))) + "\\s*\\(");
            try (var files = Files.walk(home)) {
                boolean found = files.filter(file -> file.toString().endsWith(".java") && !file.endsWith("FormicaryInspect.java")).anyMatch(file -> {
                    try {
                        return declared.matcher(Files.readString(file)).find();
                    } catch (IOException unreadable) {
                        return false;
                    }
                });
                if (!found) throw new IllegalArgumentException("no method " + order.get("function") + " in the program");
            }
            return;
        }
        Path file = home.resolve((String) order.get("file"));
        if (!Files.exists(file)) throw new IllegalArgumentException("no file " + order.get("file") + " in the program");
        int lines = Files.readAllLines(file).size();
        int line = ((Number) order.get("line")).intValue();
        if (line > lines) throw new IllegalArgumentException(order.get("file") + " has only " + lines + " lines");
    }

    static String last(String name) {
        return name.substring(name.lastIndexOf('.') + 1);
    }

    /** Puts a breakpoint into a class that has its place; the line. */
    static Integer place(ReferenceType type, Map<String, Object> order) {
        try {
            Location at = null;
            if (order.get("function") instanceof String name) {
                boolean named = !name.contains(".") || type.name().endsWith(name.substring(0, name.lastIndexOf('.')));
                if (!named || sourceName(type) == null) return null;
                for (Method method : type.methodsByName(last(name))) if (at == null && !method.isAbstract() && own(method.location())) at = method.location();
            } else {
                if (!((String) order.get("file")).endsWith(String.valueOf(sourceName(type)))) return null;
                int wanted = ((Number) order.get("line")).intValue();
                for (Location one : type.allLineLocations()) {
                    boolean nearer = one.lineNumber() >= wanted && (at == null || one.lineNumber() < at.lineNumber());
                    if (nearer) at = one;
                }
                // The line may stand in a class inside of this one, or beside it.
                if (at == null || at.lineNumber() - wanted > 3) return null;
            }
            if (at == null) return null;
            BreakpointRequest point = vm.eventRequestManager().createBreakpointRequest(at);
            point.setSuspendPolicy(EventRequest.SUSPEND_ALL);
            point.enable();
            points.put(point, order);
            return at.lineNumber();
        } catch (AbsentInformationException unknown) {
            return null;
        }
    }

    static String sourceName(ReferenceType type) {
        try {
            return type.sourceName();
        } catch (AbsentInformationException unknown) {
            return null;
        }
    }

    static final Pattern STEP = Pattern.compile("\\.?(\\w+)|\\[(\\w+)\\]");

    /** Names, fields and indices: `order.items[2].name`. */
    static Value path(String text, StackFrame frame) throws Exception {
        Matcher steps = STEP.matcher(text.strip());
        Value value = null;
        int end = 0;
        for (boolean first = true; steps.find(); first = false) {
            if (steps.start() != end) break;
            end = steps.end();
            if (first) value = named(steps.group(1), frame);
            else if (steps.group(2) != null) {
                int at = steps.group(2).matches("\\d+") ? Integer.parseInt(steps.group(2)) : ((IntegerValue) named(steps.group(2), frame)).value();
                value = ((ArrayReference) value).getValue(at);
            } else if (value instanceof ArrayReference array && steps.group(1).equals("length")) value = vm.mirrorOf(array.length());
            else if (value instanceof ObjectReference object && object.referenceType().fieldByName(steps.group(1)) != null) value = field(object, steps.group(1));
            else throw new IllegalArgumentException("no field " + steps.group(1));
        }
        if (end != text.strip().length()) throw new IllegalArgumentException("only names, fields and indices can be looked at, as in a.b[2]");
        return value;
    }

    static Value named(String name, StackFrame frame) throws Exception {
        if (name == null) throw new IllegalArgumentException("begin with a name");
        if (name.equals("this")) return frame.thisObject();
        LocalVariable variable = frame.visibleVariableByName(name);
        if (variable != null) return frame.getValue(variable);
        ObjectReference self = frame.thisObject();
        if (self != null && self.referenceType().fieldByName(name) != null) return field(self, name);
        Field fixed = frame.location().declaringType().fieldByName(name);
        if (fixed != null && fixed.isStatic()) return frame.location().declaringType().getValue(fixed);
        throw new IllegalArgumentException("no variable " + name + " here");
    }

    static final Pattern TEST = Pattern.compile("\\s*([\\w.\\[\\]]+)\\s*(==|!=|<=|>=|<|>)\\s*(.+?)\\s*");

    /** `name OP constant or name`, joined by &&. What cannot be told holds. */
    static boolean holds(String condition, StackFrame frame) {
        if (condition == null || condition.isBlank()) return true;
        for (String part : condition.split("&&")) {
            Matcher test = TEST.matcher(part);
            try {
                if (!test.matches()) {
                    if (!shown(path(part, frame), 0).equals("true")) return false;
                    continue;
                }
                String left = shown(path(test.group(1), frame), 0), right = test.group(3);
                if (right.matches("[A-Za-z_][\\w.\\[\\]]*") && !right.matches("true|false|null")) right = shown(path(right, frame), 0);
                int order = left.matches("-?[\\d.]+") && right.matches("-?[\\d.]+")
                    ? Double.compare(Double.parseDouble(left), Double.parseDouble(right)) : left.compareTo(right);
                boolean fits = switch (test.group(2)) {
                    case "==" -> order == 0;
                    case "!=" -> order != 0;
                    case "<" -> order < 0;
                    case "<=" -> order <= 0;
                    case ">" -> order > 0;
                    default -> order >= 0;
                };
                if (!fits) return false;
            } catch (Exception unknown) {
                return true;
            }
        }
        return true;
    }

    static String filled(String text, StackFrame frame) {
        return cut(Pattern.compile("\\{([^}]*)\\}").matcher(text).replaceAll(match -> {
            try {
                return Matcher.quoteReplacement(shown(path(match.group(1), frame), 0));
            } catch (Exception error) {
                return Matcher.quoteReplacement("<" + error.getMessage() + ">");
            }
        }));
    }

    static String cut(String text) {
        return text.length() <= TEXT ? text : text.substring(0, TEXT) + "...";
    }

    // JSON, as much of it as the commands need.
    static void say(Object... pairs) {
        Map<String, Object> message = new LinkedHashMap<>();
        for (int i = 0; i < pairs.length; i += 2) message.put((String) pairs[i], pairs[i + 1]);
        mouth.println(json(message));
    }

    static String json(Object value) {
        if (value instanceof Map<?, ?> map) {
            List<String> parts = new ArrayList<>();
            map.forEach((key, one) -> parts.add(quote(key.toString()) + ":" + json(one)));
            return "{" + String.join(",", parts) + "}";
        }
        if (value instanceof List<?> list) return "[" + String.join(",", list.stream().map(FormicaryInspect::json).toList()) + "]";
        if (value instanceof String text) return quote(text);
        return String.valueOf(value);
    }

    static String quote(String text) {
        StringBuilder out = new StringBuilder("\"");
        for (char c : text.toCharArray()) {
            if (c == '"' || c == '\\') out.append('\\').append(c);
            else if (c == '\n') out.append("\\n");
            else if (c < 32 || Character.isSurrogate(c)) out.append(String.format("\\u%04x", (int) c));
            else out.append(c);
        }
        return out.append('"').toString();
    }

    static final Pattern PAIR = Pattern.compile("\"(\\w+)\"\\s*:\\s*(?:\"((?:[^\"\\\\]|\\\\.)*)\"|(-?\\d+)|(null|true|false))");

    /** Commands are flat: names with texts, numbers, or nothing. */
    static Map<String, Object> hear() throws IOException {
        String line = ears.readLine();
        Map<String, Object> order = new HashMap<>();
        if (line == null) {
            order.put("do", "quit");
            return order;
        }
        Matcher pairs = PAIR.matcher(line);
        while (pairs.find()) {
            Object value = pairs.group(2) != null ? plain(pairs.group(2)) : pairs.group(3) != null ? Integer.valueOf(pairs.group(3)) : null;
            if (value != null) order.put(pairs.group(1), value);
        }
        return order;
    }

    static String plain(String text) {
        Matcher escape = Pattern.compile("\\\\(u([0-9a-fA-F]{4})|.)").matcher(text);
        return escape.replaceAll(match -> {
            String one = match.group(1);
            if (match.group(2) != null) return Matcher.quoteReplacement(String.valueOf((char) Integer.parseInt(match.group(2), 16)));
            return Matcher.quoteReplacement(one.equals("n") ? "\n" : one.equals("t") ? "\t" : one.equals("r") ? "\r" : one);
        });
    }
}
