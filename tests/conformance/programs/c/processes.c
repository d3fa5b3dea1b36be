/* Processes that multiply, hide, outlive their run, burn time, or reach for others. */
#include "attack.h"
#include <pthread.h>
#include <sys/syscall.h>

static void *wait_for_ever(void *unused) {
    for (;;)
        pause();
    return unused;
}

static int count_until_refused(const char *what, int (*one_more)(void)) {
    for (int count = 0; count < 512; count++)
        if (!one_more()) {
            printf("REFUSED %s after %d: %s\n", what, count, strerror(errno));
            fflush(stdout);
            return 1;
        }
    worked(what);
    return 0;
}

static int one_more_process(void) {
    pid_t pid = fork();
    if (pid == 0)
        wait_for_ever(NULL);
    return pid > 0;
}
static int one_more_thread(void) {
    pthread_t thread;
    pthread_attr_t attributes;
    pthread_attr_init(&attributes);
    pthread_attr_setstacksize(&attributes, 16384);
    return (errno = pthread_create(&thread, &attributes, wait_for_ever, NULL)) == 0;
}
static int one_more_zombie(void) {
    pid_t pid = fork();
    if (pid == 0)
        _exit(0);
    return pid > 0;
}

static void end_of_children(void) {
    signal(SIGTERM, SIG_IGN);
    kill(0, SIGTERM);
}
static int processes(void) {
    int result = count_until_refused("512 processes", one_more_process);
    return end_of_children(), result;
}
/* As long as anybody who looks from time to time needs to see it. */
static int processes_for_a_while(void) {
    int result = count_until_refused("512 processes", one_more_process);
    usleep(500000);
    return end_of_children(), result;
}
/* Eight are allowed: this one, and seven more. */
static int as_many_as_allowed(void) {
    for (int more = 0; more < 7; more++)
        if (!one_more_process())
            return refused("seven more processes"), end_of_children(), 1;
    worked("seven more processes");
    return end_of_children(), 0;
}

static void hear(int number) { (void)number; }
/* Children end, and a handler hears of it, while the next one is forked: no fork may fail for that. */
static int forks_while_children_end(void) {
    struct sigaction action = {.sa_handler = hear};
    sigaction(SIGCHLD, &action, NULL);
    for (int i = 0; i < 300; i++) {
        pid_t pid = fork();
        if (pid < 0)
            return refused("a fork"), 1;
        if (pid == 0)
            _exit(0);
        if (i % 8 == 7)
            while (waitpid(-1, NULL, 0) > 0 || errno == EINTR)
                ;
    }
    return worked("300 forks while children end"), 0;
}
static int threads(void) { return count_until_refused("512 threads", one_more_thread); }
static int zombies(void) { return count_until_refused("512 zombies", one_more_zombie); }

static int vfork_depth;
static void vfork_deeper(void) {
    /* Each child runs in its parent's memory while the parent waits: a tower of processes from one stack. */
    while (vfork_depth < 512) {
        pid_t pid = vfork();
        if (pid < 0) {
            printf("REFUSED a tower of vforks after %d: %s\n", vfork_depth, strerror(errno));
            fflush(stdout);
            _exit(1);
        }
        if (pid > 0) {
            int status;
            waitpid(pid, &status, 0);
            _exit(WEXITSTATUS(status));
        }
        vfork_depth++;
    }
    worked("a tower of 512 vforks");
    _exit(0);
}
static int vforks(void) {
    vfork_deeper();
    return 0;
}

/* Never ends by itself: every process forks as fast as it can. */
static int endless_fork_bomb(void) {
    for (;;)
        (void)!fork();
    return 0;
}

/* One fork bomb that copes with refusal and goes on for ever in a session of its own. */
static int daemonised_fork_bomb(void) {
    if (fork() > 0)
        return puts("WORKED the main process is gone"), 0;
    setsid();
    for (;;)
        (void)!fork();
    return 0;
}

static int outlive_by_double_fork(void) {
    if (fork() == 0) {
        setsid();
        if (fork() > 0)
            _exit(0);
        for (int fd = 0; fd < 3; fd++)
            close(fd);
        sleep(60);
        _exit(0);
    }
    wait(NULL);
    return puts("WORKED left a daemon"), 0;
}

static int outlive_by_every_trick(void) {
    prctl(PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0);
    for (int i = 0; i < 4; i++)
        if (fork() == 0) {
            for (int number = 1; number < 65; number++)
                signal(number, SIG_IGN);
            prctl(PR_SET_PDEATHSIG, 0, 0, 0, 0);
            /* Unprotected, the suite must be able to find and end it. */
            if (!given("BARE")[0])
                prctl(PR_SET_DUMPABLE, 0, 0, 0, 0);
            prctl(PR_SET_NAME, "kworker/0:1", 0, 0, 0);
            setsid();
            if (fork() > 0)
                _exit(0);
            setpgid(0, 0);
            sleep(60);
            _exit(0);
        }
    return puts("WORKED left hidden daemons"), 0;
}

static int outlive_holding_output(void) {
    if (fork() == 0) {
        sleep(60);
        _exit(0);
    }
    return puts("WORKED left a child that holds stdout"), 0;
}

static int outlive_flooding(void) {
    if (fork() == 0)
        for (;;)
            if (write(1, "flood\n", 6) < 0)
                pause();
    return 0;
}

static int outlive_burning(void) {
    for (int i = 0; i < 3; i++)
        if (fork() == 0)
            for (;;)
                ;
    return puts("WORKED left children that burn"), 0;
}

static int blocked_in_fifo(void) {
    mkfifo("pipe", 0600);
    if (fork() == 0)
        _exit(open("pipe", O_RDONLY));
    return puts("WORKED left a child blocked in open"), 0;
}
static int main_blocked_in_fifo(void) {
    mkfifo("pipe", 0600);
    return open("pipe", O_RDONLY);
}

static int many_orphans(void) {
    for (int i = 0; i < 300; i++) {
        pid_t pid;
        for (int tries = 0; (pid = fork()) < 0 && tries < 2000; tries++)
            usleep(1000);
        if (pid < 0)
            return perror("fork"), 1;
        if (pid == 0) {
            if (fork() == 0)
                usleep(1000);
            _exit(0);
        }
        waitpid(pid, NULL, 0);
    }
    return puts("WORKED 300 orphans came and went"), 0;
}

static int stop_oneself(void) {
    puts("WORKED about to stop");
    return kill(getpid(), SIGSTOP);
}
static int stop_whole_group(void) {
    for (int i = 0; i < 3; i++)
        if (fork() == 0)
            wait_for_ever(NULL);
    puts("WORKED about to stop all");
    return kill(0, SIGSTOP);
}
static int ignore_everything(void) {
    for (int number = 1; number < 65; number++)
        signal(number, SIG_IGN);
    puts("WORKED ignoring every signal");
    sleep(60);
    return 0;
}
static int sleep_for_ever(void) { return puts("WORKED asleep"), wait_for_ever(NULL), 0; }

static void *burn(void *unused) {
    for (volatile unsigned long i = 0;; i++)
        ;
    return unused;
}
static int burn_one(void) { return puts("WORKED burning"), burn(NULL), 0; }
static int burn_threads(void) {
    pthread_t thread;
    puts("WORKED burning in threads");
    for (int i = 0; i < 3; i++)
        pthread_create(&thread, NULL, burn, NULL);
    burn(NULL);
    return 0;
}
static int burn_processes(void) {
    puts("WORKED burning in processes");
    for (int i = 0; i < 3; i++)
        if (fork() == 0)
            burn(NULL);
    wait(NULL);
    return 0;
}
static double cpu_now(void) {
    struct timespec now;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
    return now.tv_sec + now.tv_nsec / 1e9;
}
/* No single process ever uses much: a limit for each process is not a limit for all. */
static int burn_by_short_lives(void) {
    puts("WORKED burning in short lives");
    for (;;) {
        if (fork() == 0) {
            double start = cpu_now();
            while (cpu_now() - start < 0.05)
                ;
            _exit(0);
        }
        wait(NULL);
    }
}
/* As above, unreaped by the program: SIGCHLD ignored, so their times are in nobody's rusage. */
static int burn_by_unwaited_lives(void) {
    signal(SIGCHLD, SIG_IGN);
    puts("WORKED burning in unwaited lives");
    for (;;) {
        pid_t pid = fork();
        if (pid == 0) {
            double start = cpu_now();
            while (cpu_now() - start < 0.05)
                ;
            _exit(0);
        }
        waitpid(pid, NULL, 0);
    }
}
/* A name that looks like the fields after it fools a reader of /proc/<pid>/stat that does not search the last parenthesis. */
static int burn_under_false_name(void) {
    prctl(PR_SET_NAME, "x) Z 0 0 0 0", 0, 0, 0);
    puts("WORKED burning under a false name");
    burn(NULL);
    return 0;
}
static int burn_for_a_while(void) {
    for (int i = 0; i < 3; i++)
        if (fork() == 0) {
            alarm(1);
            burn(NULL);
        }
    while (wait(NULL) > 0)
        ;
    return puts("WORKED burnt for a second in three processes"), 0;
}

static int exec_for_ever(char **argv) {
    /* 1.5 MiB of arguments, again and again. */
    enum { COUNT = 16, EACH = 98304 };
    char *arguments[COUNT + 3] = {argv[0], argv[1]};
    for (int i = 0; i < COUNT; i++) {
        arguments[i + 2] = malloc(EACH);
        memset(arguments[i + 2], 'a', EACH - 1);
        arguments[i + 2][EACH - 1] = 0;
    }
    execv("/proc/self/exe", arguments);
    return refused("exec"), 1;
}

static int kill_everyone(void) {
    attempt("kill(-1)", kill(-1, SIGKILL));
    return puts("REFUSED outside: still alive to tell"), 0;
}
static int kill_victim(void) { return attempt("kill the host's process", kill(victim(), SIGKILL)), 0; }
static int kill_init(void) {
    for (int number = 1; number < 65; number++)
        kill(1, number), kill(getppid(), number);
    usleep(100000);
    return puts("REFUSED by init: still alive to tell"), 0;
}
/* The first process inside may be of the same user: then its resource limits are in reach without any privilege, and an init
 * without descriptors, or out of CPU time, can no longer tell how the program ended. */
static int sabotage_init(void) {
    static const int kinds[] = {RLIMIT_NOFILE, RLIMIT_CPU, RLIMIT_FSIZE, RLIMIT_DATA, RLIMIT_AS, RLIMIT_STACK};
    struct rlimit none = {0, 0};
    pid_t targets[] = {1, getppid()};
    for (int t = 0; t < 2; t++)
        for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++)
            attempt("a limit of init", prlimit(targets[t], kinds[i], &none, NULL));
    attempt("the priority of init", setpriority(PRIO_PROCESS, 1, 19));
    struct sched_param parameter = {0};
    attempt("the scheduling of init", sched_setscheduler(1, SCHED_IDLE, &parameter));
    for (volatile long i = 0; i < 20000000; i++)
        ;
    return 7;
}
static int limit_victim(void) {
    struct rlimit none = {0, 0};
    return attempt("a limit of the host's process", prlimit(victim(), RLIMIT_NOFILE, &none, NULL)), 0;
}
static int trace_others(void) {
    pid_t targets[] = {victim(), 1};
    for (int i = 0; i < 2; i++) {
        if (targets[i] == 1 && given("BARE")[0])
            continue;
        long result = ptrace(PTRACE_SEIZE, targets[i], 0, 0);
        attempt(i ? "ptrace init" : "ptrace the host's process", result);
        result = ptrace(PTRACE_ATTACH, targets[i], 0, 0);
        if (result == 0)
            worked("attach"), waitpid(targets[i], NULL, __WALL), ptrace(PTRACE_DETACH, targets[i], 0, 0);
    }
    return 0;
}
static int trace_own_child(void) {
    pid_t pid = fork();
    if (pid == 0) {
        ptrace(PTRACE_TRACEME, 0, 0, 0);
        raise(SIGSTOP);
        _exit(5);
    }
    int status;
    waitpid(pid, &status, 0);
    if (!WIFSTOPPED(status) || ptrace(PTRACE_CONT, pid, 0, 0) != 0)
        return perror("ptrace"), 1;
    waitpid(pid, &status, 0);
    return WIFEXITED(status) && WEXITSTATUS(status) == 5 ? puts("WORKED traced a child of one's own"), 0 : 1;
}
static int read_memory_of_others(void) {
    pid_t targets[] = {victim(), 1, getppid()};
    for (int i = 0; i < 3; i++) {
        char path[64], line[256], buffer[64];
        snprintf(path, sizeof path, "/proc/%d/maps", targets[i]);
        FILE *maps = fopen(path, "r");
        unsigned long start = 0x400000;
        if (maps && fgets(line, sizeof line, maps))
            start = strtoul(line, NULL, 16);
        struct iovec here = {buffer, sizeof buffer}, there = {(void *)start, sizeof buffer};
        attempt("process_vm_readv", process_vm_readv(targets[i], &here, 1, &there, 1, 0));
        snprintf(path, sizeof path, "/proc/%d/mem", targets[i]);
        int fd = open(path, O_RDWR);
        if (fd < 0)
            refused(path);
        else
            attempt(path, pread(fd, buffer, 1, start));
    }
    return 0;
}
static int take_descriptors_of_others(void) {
    pid_t targets[] = {victim(), 1, getppid()};
    for (int i = 0; i < 3; i++) {
        int pidfd = syscall(SYS_pidfd_open, targets[i], 0);
        if (pidfd < 0) {
            refused("pidfd_open");
            continue;
        }
        for (int fd = 0; fd < 16; fd++)
            attempt("pidfd_getfd", syscall(SYS_pidfd_getfd, pidfd, fd, 0));
    }
    return 0;
}
static int real_time(void) {
    struct sched_param parameter = {.sched_priority = 50};
    attempt("SCHED_FIFO", sched_setscheduler(0, SCHED_FIFO, &parameter));
    return attempt("SCHED_RR", sched_setscheduler(0, SCHED_RR, &parameter)), 0;
}
static int more_nice(void) { return attempt("nice -20", setpriority(PRIO_PROCESS, 0, -20)), 0; }
static int affinity_of_others(void) {
    cpu_set_t all;
    CPU_ZERO(&all);
    CPU_SET(0, &all);
    attempt("affinity of the host's process", sched_setaffinity(victim(), sizeof all, &all));
    return attempt("affinity of init", given("BARE")[0] ? 0 : sched_setaffinity(1, sizeof all, &all)), 0;
}
static int die_by_signal(void) { return raise(SIGKILL); }
static int die_by_abort(void) { abort(); }
static int exit_like_a_signal(void) { return 137; }
static int deeper(int depth) {
    volatile char frame[4096];
    frame[0] = 1;
    return depth < 0 ? 0 : deeper(depth + 1) + frame[0];
}
static int overflow_the_stack(void) { return deeper(0); }
static int cope_with_refusal(void) {
    return processes(), 0;
}

static const struct attack attacks[] = {
    {"processes", processes}, {"processes_for_a_while", processes_for_a_while},
    {"as_many_as_allowed", as_many_as_allowed}, {"forks_while_children_end", forks_while_children_end},
    {"threads", threads}, {"zombies", zombies}, {"vforks", vforks},
    {"endless_fork_bomb", endless_fork_bomb}, {"daemonised_fork_bomb", daemonised_fork_bomb},
    {"outlive_by_double_fork", outlive_by_double_fork}, {"outlive_by_every_trick", outlive_by_every_trick},
    {"outlive_holding_output", outlive_holding_output}, {"outlive_flooding", outlive_flooding},
    {"outlive_burning", outlive_burning}, {"blocked_in_fifo", blocked_in_fifo},
    {"main_blocked_in_fifo", main_blocked_in_fifo}, {"many_orphans", many_orphans}, {"stop_oneself", stop_oneself},
    {"stop_whole_group", stop_whole_group}, {"ignore_everything", ignore_everything}, {"sleep_for_ever", sleep_for_ever},
    {"burn_one", burn_one}, {"burn_threads", burn_threads}, {"burn_processes", burn_processes},
    {"burn_by_short_lives", burn_by_short_lives}, {"burn_by_unwaited_lives", burn_by_unwaited_lives},
    {"burn_under_false_name", burn_under_false_name}, {"burn_for_a_while", burn_for_a_while},
    {"kill_everyone", kill_everyone}, {"kill_victim", kill_victim}, {"kill_init", kill_init},
    {"sabotage_init", sabotage_init}, {"limit_victim", limit_victim},
    {"trace_others", trace_others}, {"trace_own_child", trace_own_child}, {"read_memory_of_others", read_memory_of_others},
    {"take_descriptors_of_others", take_descriptors_of_others}, {"real_time", real_time}, {"more_nice", more_nice},
    {"affinity_of_others", affinity_of_others}, {"die_by_signal", die_by_signal}, {"die_by_abort", die_by_abort},
    {"exit_like_a_signal", exit_like_a_signal}, {"overflow_the_stack", overflow_the_stack},
    {"cope_with_refusal", cope_with_refusal},
};

int main(int argc, char **argv) {
    if (argc > 1 && strcmp(argv[1], "exec_for_ever") == 0)
        return exec_for_ever(argv);
    return dispatch(attacks, sizeof attacks / sizeof *attacks, argc, argv);
}
