//! Which header, module or package holds a name of the standard libraries.

use formicary_model::Language;

/// Rows of a holder and what it holds.
type Index = &'static [(&'static str, &'static str)];

#[rustfmt::skip]
const PYTHON: Index = &[
    ("math", "sqrt ceil floor pi gcd lcm factorial log log2 log10 exp sin cos tan inf isclose comb perm hypot isqrt prod"),
    ("collections", "defaultdict Counter deque OrderedDict namedtuple ChainMap"),
    ("itertools", "permutations combinations product chain cycle groupby accumulate zip_longest islice takewhile dropwhile starmap pairwise count repeat combinations_with_replacement"),
    ("functools", "reduce partial lru_cache wraps cache cached_property cmp_to_key singledispatch total_ordering"),
    ("typing", "List Dict Optional Tuple Set Any Union Callable Iterable Iterator Sequence Generator TypeVar NamedTuple Protocol"),
    ("dataclasses", "dataclass field asdict astuple"),
    ("datetime", "datetime timedelta date timezone"),
    ("pathlib", "Path PurePath"),
    ("decimal", "Decimal getcontext"),
    ("fractions", "Fraction"),
    ("enum", "Enum IntEnum auto"),
    ("heapq", "heappush heappop heapify heapreplace nlargest nsmallest heappushpop"),
    ("bisect", "bisect_left bisect_right insort"),
    ("copy", "deepcopy"),
    ("random", "randint choice shuffle uniform sample"),
    ("time", "sleep perf_counter monotonic"),
    ("abc", "ABC abstractmethod"),
    ("contextlib", "contextmanager suppress"),
    ("io", "StringIO BytesIO"),
    ("string", "ascii_lowercase ascii_uppercase ascii_letters digits punctuation"),
    ("operator", "itemgetter attrgetter mul"),
    ("threading", "Thread Lock RLock Event"),
    ("concurrent.futures", "ThreadPoolExecutor ProcessPoolExecutor"),
    ("queue", "Queue PriorityQueue"),
    ("textwrap", "dedent indent wrap"),
    ("statistics", "mean median stdev"),
];

/// Modules of Python that are used by their own name.
pub const PYTHON_MODULES: &[&str] = &[
    "math",
    "os",
    "sys",
    "re",
    "json",
    "random",
    "itertools",
    "collections",
    "functools",
    "time",
    "datetime",
    "string",
    "heapq",
    "bisect",
    "copy",
    "typing",
    "pathlib",
    "decimal",
    "fractions",
    "statistics",
    "asyncio",
    "threading",
    "subprocess",
    "shutil",
    "glob",
    "csv",
    "io",
    "logging",
    "operator",
    "textwrap",
    "uuid",
    "hashlib",
    "base64",
    "struct",
    "enum",
    "dataclasses",
    "contextlib",
    "unittest",
    "argparse",
    "pprint",
    "traceback",
    "queue",
    "tempfile",
    "pickle",
    "sqlite3",
    "calendar",
    "array",
    "types",
    "inspect",
    "platform",
    "signal",
    "socket",
    "zlib",
    "gzip",
    "secrets",
    "difflib",
    "cmath",
    "locale",
    "urllib",
    "html",
    "xml",
    "configparser",
    "weakref",
    "abc",
    "numbers",
    "multiprocessing",
    "warnings",
];

#[rustfmt::skip]
const C: Index = &[
    ("<stdio.h>", "printf scanf puts putchar getchar fprintf fopen fclose fgets fputs snprintf sprintf sscanf FILE stdin stdout stderr perror EOF fread fwrite getline fflush"),
    ("<stdlib.h>", "malloc free calloc realloc exit abs atoi atof atol qsort rand srand strtol strtod abort getenv bsearch EXIT_SUCCESS EXIT_FAILURE labs system"),
    ("<string.h>", "strlen strcpy strncpy strcmp strncmp strcat strchr strrchr strstr memcpy memset memmove memcmp strdup strtok strerror strncat"),
    ("<math.h>", "sqrt pow sin cos tan floor ceil fabs log exp round fmod M_PI log10 log2 cbrt hypot isnan INFINITY NAN"),
    ("<ctype.h>", "isalpha isdigit isspace toupper tolower isupper islower isalnum ispunct isxdigit"),
    ("<stdbool.h>", "bool true false"),
    ("<stdint.h>", "uint8_t uint16_t uint32_t uint64_t int8_t int16_t int32_t int64_t SIZE_MAX INT32_MAX UINT32_MAX INT64_MAX uintptr_t"),
    ("<limits.h>", "INT_MAX INT_MIN LONG_MAX LONG_MIN UINT_MAX CHAR_BIT LLONG_MAX LLONG_MIN"),
    ("<float.h>", "DBL_MAX DBL_EPSILON FLT_MAX DBL_MIN"),
    ("<assert.h>", "assert"),
    ("<stddef.h>", "NULL size_t ptrdiff_t offsetof"),
    ("<time.h>", "time clock time_t difftime localtime strftime CLOCKS_PER_SEC"),
    ("<errno.h>", "errno ENOENT EINVAL ERANGE"),
    ("<unistd.h>", "sleep usleep getpid fork read write close"),
    ("<pthread.h>", "pthread_create pthread_join pthread_t pthread_mutex_t"),
    ("<inttypes.h>", "PRIu64 PRId64 PRIu32"),
    ("<stdarg.h>", "va_list va_start va_end va_arg"),
];

#[rustfmt::skip]
const CPP: Index = &[
    ("<iostream>", "cout cin cerr endl istream ostream clog"),
    ("<vector>", "vector"), ("<string>", "string to_string stoi stol stod getline wstring"), ("<map>", "map multimap"), ("<set>", "set multiset"),
    ("<unordered_map>", "unordered_map"), ("<unordered_set>", "unordered_set"), ("<queue>", "queue priority_queue"), ("<stack>", "stack"), ("<deque>", "deque"), ("<list>", "list"), ("<array>", "array"),
    ("<algorithm>", "sort min max find reverse count count_if find_if transform max_element min_element swap lower_bound upper_bound binary_search fill copy unique remove_if all_of any_of next_permutation clamp for_each"),
    ("<numeric>", "accumulate iota gcd lcm partial_sum"),
    ("<memory>", "unique_ptr shared_ptr make_unique make_shared weak_ptr"),
    ("<functional>", "function bind greater less hash"), ("<optional>", "optional nullopt"), ("<variant>", "variant get visit"), ("<tuple>", "tuple make_tuple tie"), ("<utility>", "pair make_pair move"),
    ("<sstream>", "stringstream ostringstream istringstream"), ("<fstream>", "ifstream ofstream fstream"), ("<iomanip>", "setw setprecision setfill fixed"),
    ("<stdexcept>", "runtime_error invalid_argument out_of_range logic_error exception"), ("<limits>", "numeric_limits"), ("<cmath>", "sqrt pow abs floor ceil round"),
    ("<thread>", "thread this_thread"), ("<mutex>", "mutex lock_guard unique_lock scoped_lock"), ("<atomic>", "atomic"), ("<chrono>", "chrono"), ("<string_view>", "string_view"), ("<bitset>", "bitset"), ("<random>", "mt19937 random_device uniform_int_distribution"), ("<cstdint>", "uint32_t int64_t uint64_t uint8_t int32_t"), ("<cstring>", "strlen memcpy memset strcmp strcpy"), ("<cstdlib>", "malloc free exit atoi abort"), ("<cstdio>", "printf puts scanf"), ("<climits>", "INT_MAX INT_MIN LLONG_MAX"), ("<cassert>", "assert"), ("<cctype>", "isalpha isdigit toupper tolower isspace"),
];

#[rustfmt::skip]
const JAVA: Index = &[
    ("java.util", "List ArrayList Map HashMap Set HashSet LinkedList Deque ArrayDeque Queue PriorityQueue Arrays Collections Scanner Random Optional Iterator TreeMap TreeSet LinkedHashMap LinkedHashSet Stack Objects Comparator StringJoiner UUID BitSet NoSuchElementException Collection Vector EnumMap Date"),
    ("java.util.function", "Function Predicate Supplier Consumer BiFunction UnaryOperator BinaryOperator IntFunction BiConsumer IntPredicate"),
    ("java.util.stream", "Collectors Stream IntStream LongStream"),
    ("java.util.concurrent", "ExecutorService Executors ConcurrentHashMap Future CompletableFuture TimeUnit CountDownLatch Callable"),
    ("java.util.concurrent.atomic", "AtomicInteger AtomicLong AtomicReference AtomicBoolean"),
    ("java.util.concurrent.locks", "Lock ReentrantLock"),
    ("java.io", "IOException File BufferedReader InputStreamReader FileReader FileWriter PrintWriter InputStream OutputStream Serializable UncheckedIOException"),
    ("java.nio.file", "Files Path Paths"),
    ("java.math", "BigInteger BigDecimal RoundingMode"),
    ("java.time", "LocalDate LocalDateTime Duration Instant LocalTime"),
    ("java.text", "DecimalFormat SimpleDateFormat"),
    ("java.util.regex", "Pattern Matcher"),
];

#[rustfmt::skip]
const GO: Index = &[
    ("fmt", "fmt"), ("strings", "strings"), ("strconv", "strconv"), ("os", "os"), ("errors", "errors"), ("math", "math"), ("sort", "sort"), ("time", "time"), ("sync", "sync"), ("bufio", "bufio"), ("io", "io"), ("bytes", "bytes"), ("math/rand", "rand"), ("encoding/json", "json"), ("regexp", "regexp"), ("unicode", "unicode"), ("context", "context"), ("log", "log"), ("path/filepath", "filepath"), ("sync/atomic", "atomic"), ("container/heap", "heap"), ("container/list", "list"), ("reflect", "reflect"), ("unicode/utf8", "utf8"), ("math/big", "big"), ("math/bits", "bits"), ("text/tabwriter", "tabwriter"), ("runtime", "runtime"), ("net/http", "http"),
];

#[rustfmt::skip]
const RUST: Index = &[
    ("std::collections", "HashMap HashSet BTreeMap BTreeSet VecDeque BinaryHeap LinkedList"),
    ("std::rc", "Rc"), ("std::sync", "Arc Mutex RwLock OnceLock"), ("std::cell", "RefCell Cell"), ("std::fmt", "Display Debug Formatter"), ("std::io", "Read Write BufRead BufReader stdin"), ("std::fs", "File"), ("std::path", "Path PathBuf"), ("std::time", "Duration Instant"), ("std::str", "FromStr"), ("std::borrow", "Cow"), ("std::cmp", "Ordering Reverse min max"), ("std::error", "Error"), ("std::ops", "Add Sub Mul Index Deref"), ("std::thread", "spawn sleep"), ("std::sync::mpsc", "channel"), ("std::hash", "Hash Hasher"), ("std::iter", "FromIterator repeat"), ("std::mem", "swap take"), ("std::process", "exit"),
];

/// Modules of node that are used by their own name.
pub const NODE_MODULES: &[&str] = &[
    "fs",
    "path",
    "os",
    "util",
    "assert",
    "events",
    "crypto",
    "readline",
    "child_process",
    "http",
    "https",
    "url",
    "zlib",
    "stream",
    "querystring",
    "vm",
    "worker_threads",
    "perf_hooks",
    "buffer",
];

/// What holds a name.
pub fn holders(language: Language, name: &str) -> Vec<&'static str> {
    let indexes: &[Index] = match language {
        Language::Python => &[PYTHON],
        Language::C => &[C],
        Language::Cpp => &[CPP, C],
        Language::Java => &[JAVA],
        Language::Go => &[GO],
        Language::Rust => &[RUST],
        Language::JavaScript | Language::TypeScript | Language::Bash => &[],
    };
    let rows = indexes.iter().flat_map(|index| index.iter());
    rows.filter(|(_, names)| names.split(' ').any(|held| held == name)).map(|(holder, _)| *holder).collect()
}

/// Every name that a language's library holds.
pub fn names(language: Language) -> Vec<&'static str> {
    let index = match language {
        Language::Python => PYTHON,
        Language::C => C,
        Language::Cpp => CPP,
        Language::Java => JAVA,
        Language::Go => GO,
        Language::Rust => RUST,
        Language::JavaScript | Language::TypeScript | Language::Bash => &[],
    };
    index.iter().flat_map(|(_, names)| names.split(' ')).collect()
}
