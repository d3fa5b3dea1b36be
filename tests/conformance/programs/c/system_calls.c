/* System calls that no ordinary program needs. Those that would harm a host get arguments that cannot succeed. */
#include "attack.h"
#include <linux/bpf.h>
#include <linux/filter.h>
#include <linux/io_uring.h>
#include <linux/keyctl.h>
#include <linux/perf_event.h>
#include <linux/seccomp.h>
#include <pthread.h>
#include <sys/io.h>

static int io_uring(void) {
    struct io_uring_params params = {0};
    return attempt("io_uring_setup", syscall(SYS_io_uring_setup, 4, &params)), 0;
}

static int bpf_map(void) {
    union bpf_attr attr = {0};
    attr.map_type = BPF_MAP_TYPE_ARRAY;
    attr.key_size = 4;
    attr.value_size = 8;
    attr.max_entries = 1;
    return attempt("bpf map", syscall(SYS_bpf, BPF_MAP_CREATE, &attr, sizeof attr)), 0;
}

static int perf_event(void) {
    struct perf_event_attr attr = {.type = PERF_TYPE_SOFTWARE, .size = sizeof attr, .config = PERF_COUNT_SW_TASK_CLOCK};
    return attempt("perf_event_open", syscall(SYS_perf_event_open, &attr, 0, -1, -1, 0)), 0;
}

static int kexec(void) {
    reached("kexec_load", syscall(SYS_kexec_load, 0, 1UL << 30, NULL, 0));
    return reached("kexec_file_load", syscall(SYS_kexec_file_load, -1, -1, 0, NULL, 0)), 0;
}

static int modules(void) {
    reached("init_module", syscall(SYS_init_module, "garbage", 7, ""));
    reached("finit_module", syscall(SYS_finit_module, -1, "", 0));
    return reached("delete_module", syscall(SYS_delete_module, "formicary_no_such_module", O_NONBLOCK)), 0;
}

static int userfaultfd(void) {
    return attempt("userfaultfd", syscall(SYS_userfaultfd, O_CLOEXEC | 1 /* user mode only */)), 0;
}

static int keyring(void) {
    long key = syscall(SYS_add_key, "user", "formicary-conformance", "secret", 6, KEY_SPEC_PROCESS_KEYRING);
    attempt("add_key", key);
    attempt("keyctl", syscall(SYS_keyctl, KEYCTL_GET_KEYRING_ID, KEY_SPEC_USER_KEYRING, 1));
    return reached("request_key", syscall(SYS_request_key, "user", "formicary-none", NULL, 0)), 0;
}

/* What one run leaves in a keyring, the next must not find. The user keyring outlives a process. */
static int keyring_across(void) {
    const char *name = given("CASE");
    long found = syscall(SYS_keyctl, KEYCTL_SEARCH, KEY_SPEC_USER_KEYRING, "user", name, 0);
    if (found >= 0) {
        syscall(SYS_keyctl, KEYCTL_UNLINK, found, KEY_SPEC_USER_KEYRING);
        return worked("found the key of an earlier run"), 0;
    }
    refused("search for the key of an earlier run");
    syscall(SYS_add_key, "user", name, "secret", 6, KEY_SPEC_USER_KEYRING);
    return 0;
}

static int terminal_injection(void) {
    char byte = 'x';
    int tty = open("/dev/tty", O_RDWR);
    for (int fd = 0; fd < 3; fd++)
        attempt("TIOCSTI", ioctl(fd, TIOCSTI, &byte));
    if (tty < 0)
        return refused("open /dev/tty"), 0;
    return attempt("TIOCSTI on /dev/tty", ioctl(tty, TIOCSTI, &byte)), 0;
}

/* The kernel once compared only 32 bits where it acted on 64; a filter that compares 64 is passed by the same request with a
 * high bit set. The kernel itself ignores the high bits of an ioctl's request. */
static int terminal_injection_high_bits(void) {
    int master = posix_openpt(O_RDWR | O_NOCTTY), terminal = -1;
    if (master >= 0 && grantpt(master) == 0 && unlockpt(master) == 0)
        terminal = open(ptsname(master), O_RDWR | O_NOCTTY);
    if (terminal < 0)
        return refused("a terminal of one's own"), 0;
    char byte = 'x';
    if (fork() == 0) {
        setsid();
        ioctl(terminal, TIOCSCTTY, 0);
        _exit(attempt("TIOCSTI with high bits", syscall(SYS_ioctl, terminal, TIOCSTI | (1UL << 33), &byte)));
    }
    wait(NULL);
    return 0;
}

static int unknown_numbers(void) {
    long numbers[] = {600, 999, 4095, 100000, 0x3fffffff, -2};
    for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++) {
        long result = syscall(numbers[i], 0, 0, 0, 0, 0, 0);
        if (result != -1 || errno != ENOSYS)
            return printf("number %ld gave %ld, %s\n", numbers[i], result, strerror(errno)), 1;
    }
    return puts("REFUSED unknown numbers: all ENOSYS"), 0;
}

/* The x32 numbers are the 64-bit ones with bit 30 set: a filter that compares plain numbers lets them through. */
static int x32_numbers(void) {
    return attempt("x32 unshare", syscall(0x40000000 | SYS_unshare, CLONE_NEWUSER)),
           attempt("x32 getpid", syscall(0x40000000 | SYS_getpid)), 0;
}

#if defined(__x86_64__)
static long int80(long number, long a, long b, long c) {
    long result;
    __asm__ volatile("int $0x80" : "=a"(result) : "a"(number), "b"(a), "c"(b), "d"(c) : "memory", "r8", "r9", "r10", "r11");
    if (result < 0 && result > -4096)
        return errno = -result, -1;
    return result;
}

/* The 32-bit gate: number 310 is unshare there, and something harmless in the 64-bit table. */
static int gate_of_32_bits(void) {
    return attempt("int 0x80 unshare(user)", int80(310, CLONE_NEWUSER, 0, 0)), 0;
}
static int gate_of_32_bits_getpid(void) { return attempt("int 0x80 getpid", int80(20, 0, 0, 0)), 0; }
#else
static int gate_of_32_bits(void) { return puts("REFUSED no such gate on this processor"), 0; }
static int gate_of_32_bits_getpid(void) { return puts("REFUSED no such gate on this processor"), 0; }
#endif

/* A guest may confine itself further: browsers and test runners do. */
static int own_filter(void) {
    struct sock_filter code[] = {
        BPF_STMT(BPF_LD | BPF_W | BPF_ABS, 0),
        BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_getppid, 0, 1),
        BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | 77),
        BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
    };
    struct sock_fprog program = {4, code};
    prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0);
    if (prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program) != 0)
        return perror("seccomp"), 1;
    long result = syscall(SYS_getppid);
    return result == -1 && errno == 77 ? puts("WORKED a filter of one's own"), 0 : 1;
}

/* A listener on a filter decides other processes' calls: only over one's own children, never over the supervisor's side. */
static int notify_filter(void) {
    struct sock_filter code[] = {BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW)};
    struct sock_fprog program = {1, code};
    prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0);
    long result = syscall(SYS_seccomp, SECCOMP_SET_MODE_FILTER, SECCOMP_FILTER_FLAG_NEW_LISTENER, &program);
    return printf("%s\n", result >= 0 ? "REFUSED nothing: a listener over one's own calls" : "REFUSED a second listener"), 0;
}

static int quota(void) { return reached("quotactl", syscall(SYS_quotactl, 0x80000100 /* sync */, "/nonexistent", 0, NULL)), 0; }
static int accounting(void) { return reached("acct", syscall(SYS_acct, "/nonexistent/file")), 0; }
static int swap(void) {
    reached("swapon", syscall(SYS_swapon, "/nonexistent", 0));
    return reached("swapoff", syscall(SYS_swapoff, "/nonexistent")), 0;
}
static int restart(void) { return reached("reboot", syscall(SYS_reboot, 0, 0, 0, NULL)), 0; }

static int kernel_log(void) {
    char buffer[256];
    attempt("syslog read", syscall(SYS_syslog, 3, buffer, sizeof buffer));
    return attempt("/dev/kmsg", open("/dev/kmsg", O_RDONLY)), 0;
}

static int clock_setting(void) {
    struct timespec bad = {0, 2000000000L};
    struct timeval bad_value = {0, 20000000L};
    reached("clock_settime", syscall(SYS_clock_settime, CLOCK_REALTIME, &bad));
    return reached("settimeofday", syscall(SYS_settimeofday, &bad_value, NULL)), 0;
}

#if defined(__x86_64__)
static int ports(void) {
    attempt("iopl", syscall(SYS_iopl, 3));
    return attempt("ioperm", syscall(SYS_ioperm, 0x80, 1, 1)), 0;
}
#else
static int ports(void) { return puts("REFUSED no ports on this processor"), 0; }
#endif

static int file_handles(void) {
    struct {
        struct file_handle handle;
        unsigned char room[128];
    } h = {.handle = {.handle_bytes = 128}};
    int mount_id, mount = open("/", O_RDONLY | O_DIRECTORY);
    if (name_to_handle_at(AT_FDCWD, given("FLAG"), &h.handle, &mount_id, 0) != 0) {
        /* The host's root has inode 2 on ext4: the handle can be guessed without seeing the file. */
        h.handle.handle_bytes = 8;
        h.handle.handle_type = 1;
        memset(h.handle.f_handle, 0, 8);
        h.handle.f_handle[0] = 2;
    }
    int fd = open_by_handle_at(mount, &h.handle, O_RDONLY);
    return attempt("open_by_handle_at", fd), 0;
}

static int watch_the_file_system(void) {
    return attempt("fanotify_init", syscall(SYS_fanotify_init, 0x8 /* content */, O_RDONLY)), 0;
}

static int compare_processes(void) { return attempt("kcmp", syscall(SYS_kcmp, victim(), getppid(), 0, 0, 0)), 0; }

static int move_pages_of_others(void) {
    return attempt("move_pages", syscall(SYS_move_pages, victim(), 0, NULL, NULL, NULL, 0)), 0;
}

/* One refused call, then failure: the verdict is "denied" and the violation carries the call's name. */
static int denied_and_failed(void) {
    return reached("mount", mount("none", "/nonexistent", "tmpfs", 0, NULL)) ? 3 : 0;
}

/* The same, shrugged off: the verdict is success, and the violation is there all the same. */
static int denied_and_coped(void) { return reached("mount", mount("none", "/nonexistent", "tmpfs", 0, NULL)), 0; }

/* Refusals are told to a supervisor: one that answers them for ever forgets the clock. */
static void *refused_for_ever(void *unused) {
    for (;;)
        mount("none", "/nonexistent", "tmpfs", 0, NULL);
    return unused;
}
static int flood_of_refusals(void) {
    pthread_t thread;
    puts("REFUSED again and again");
    for (int i = 0; i < 8; i++)
        pthread_create(&thread, NULL, refused_for_ever, NULL);
    refused_for_ever(NULL);
    return 0;
}

/* The caller dies while the supervisor has its question in hand. */
static int die_while_asking(void) {
    pthread_t thread;
    for (int round = 0; round < 50; round++) {
        pid_t pid = fork();
        if (pid == 0) {
            for (int i = 0; i < 3; i++)
                pthread_create(&thread, NULL, refused_for_ever, NULL);
            usleep(1000);
            kill(getpid(), SIGKILL);
        }
        waitpid(pid, NULL, 0);
    }
    return puts("REFUSED and died asking"), 0;
}

/* Refusals must be an errno; SIGSYS would kill programs that only probe. */
static int probing_is_survived(void) {
    struct io_uring_params params = {0};
    syscall(SYS_io_uring_setup, 4, &params);
    syscall(SYS_unshare, CLONE_NEWUSER);
    syscall(SYS_bpf, 0, NULL, 0);
    syscall(SYS_kexec_load, 0, 0, NULL, 0);
    syscall(SYS_setns, -1, 0);
    syscall(SYS_personality, 0xffffffff);
    syscall(SYS_rseq, NULL, 0, 0, 0);
    syscall(SYS_clone3, NULL, 0);
    return puts("REFUSED all, and still alive"), 0;
}

/* clone3 hides its flags from a filter in memory: it must give ENOSYS, so that the C library falls back to clone. */
static int clone3_new_user(void) {
    uint64_t arguments[11] = {CLONE_NEWUSER, 0, 0, 0, SIGCHLD};
    long pid = syscall(SYS_clone3, arguments, sizeof arguments);
    if (pid == 0)
        _exit(0);
    return attempt("clone3(new user)", pid), 0;
}

/* Requests for asynchronous input and output come out of one number for the whole host. One is enough to see. */
static int asynchronous(void) {
    unsigned long context = 0;
    int result = attempt("io_setup", syscall(SYS_io_setup, 1, &context));
    if (context)
        syscall(SYS_io_destroy, context);
    return result, 0;
}

/* A signal for each change in a directory of the host's. */
static int notes_of_directories(void) {
    int fd = open("/usr/bin", O_RDONLY | O_DIRECTORY);
    return attempt("F_NOTIFY", fcntl(fd, F_NOTIFY, DN_ACCESS | DN_MULTISHOT)), 0;
}

/* The one device node that needs no privilege: file systems laid over others take it for a removed file. */
static int empty_device(void) {
    attempt("mknod of the empty device", mknod("removed", S_IFCHR, 0));
    attempt("mknodat of the empty device", mknodat(AT_FDCWD, "removed_too", S_IFCHR, 0));
    unlink("removed"), unlink("removed_too");
    return 0;
}

/* At a core limit of zero, unlike one, the kernel starts the host's own handler for a program that dies. */
static int no_core_limit(void) {
    struct rlimit none = {0, 0}, now = {1, 1};
    setrlimit(RLIMIT_CORE, &none);
    syscall(SYS_setrlimit, RLIMIT_CORE, &none);
    prlimit(0, RLIMIT_CORE, &none, NULL);
    prlimit(getpid(), RLIMIT_CORE, &none, NULL);
    getrlimit(RLIMIT_CORE, &now);
    errno = EPERM;
    return attempt("a core limit of zero", now.rlim_cur == 0 ? 0 : -1), 0;
}

/* The limits of a process of one's own may be read by its number, as monitors do. */
static int read_own_limits(void) {
    struct rlimit now;
    return attempt("read one's own limits", prlimit(getpid(), RLIMIT_NOFILE, NULL, &now)), 0;
}

static const struct attack attacks[] = {
    {"empty_device", empty_device}, {"no_core_limit", no_core_limit}, {"read_own_limits", read_own_limits},
    {"asynchronous", asynchronous}, {"notes_of_directories", notes_of_directories}, {"io_uring", io_uring}, {"bpf_map", bpf_map}, {"perf_event", perf_event}, {"kexec", kexec}, {"modules", modules},
    {"userfaultfd", userfaultfd}, {"keyring", keyring}, {"keyring_across", keyring_across},
    {"terminal_injection", terminal_injection}, {"terminal_injection_high_bits", terminal_injection_high_bits},
    {"unknown_numbers", unknown_numbers}, {"x32_numbers", x32_numbers}, {"gate_of_32_bits", gate_of_32_bits},
    {"gate_of_32_bits_getpid", gate_of_32_bits_getpid}, {"own_filter", own_filter}, {"notify_filter", notify_filter},
    {"quota", quota}, {"accounting", accounting}, {"swap", swap}, {"restart", restart}, {"kernel_log", kernel_log},
    {"clock_setting", clock_setting}, {"ports", ports}, {"file_handles", file_handles},
    {"watch_the_file_system", watch_the_file_system}, {"compare_processes", compare_processes},
    {"move_pages_of_others", move_pages_of_others}, {"denied_and_failed", denied_and_failed},
    {"denied_and_coped", denied_and_coped}, {"probing_is_survived", probing_is_survived},
    {"clone3_new_user", clone3_new_user}, {"flood_of_refusals", flood_of_refusals}, {"die_while_asking", die_while_asking},
};
DISPATCH(attacks)
