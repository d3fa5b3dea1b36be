/* What every C program of the suite shares: the protocol by which an attack tells what became of it.
 *
 * One line for each attempt: "WORKED what" where the attack succeeded, "REFUSED what: errno" where it did not.
 * A program of the suite that prints neither has not tried anything, and its case fails. */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <sched.h>
#include <signal.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/mount.h>
#include <sys/prctl.h>
#include <sys/ptrace.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <sys/types.h>
#include <sys/uio.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

struct attack {
    const char *name;
    int (*run)(void);
};

static inline void worked(const char *what) {
    printf("WORKED %s\n", what);
    fflush(stdout);
}

static inline void refused(const char *what) {
    printf("REFUSED %s: %s\n", what, strerror(errno));
    fflush(stdout);
}

/* The attack succeeded if the call did. */
static inline int attempt(const char *what, long result) {
    if (result >= 0)
        worked(what);
    else
        refused(what);
    return result < 0;
}

/* For calls that would do harm if they succeeded: they are made with arguments that cannot succeed, and what counts is whether
 * the kernel went as far as judging the arguments (any other error) or turned the caller away (EPERM, ENOSYS, EACCES). */
static inline int reached(const char *what, long result) {
    if (result >= 0 || (errno != EPERM && errno != ENOSYS && errno != EACCES)) {
        printf("WORKED %s (reached the kernel: %s)\n", what, result >= 0 ? "success" : strerror(errno));
        fflush(stdout);
        return 0;
    }
    refused(what);
    return 1;
}

static inline const char *given(const char *name) {
    const char *value = getenv(name);
    return value ? value : "";
}

static inline pid_t victim(void) { return atoi(given("VICTIM")); }

/* For attacks that hold memory: HOLD (MiB) says how much they want; the sandbox allows less. */
#define MIB (1024UL * 1024)

static inline size_t wanted(void) { return strtoul(given("HOLD"), NULL, 10) * MIB; }

static inline int held(const char *what) {
    /* Long enough for a meter that looks now and then. */
    usleep(400000);
    return worked(what), 0;
}

static inline int gave_up(const char *what, size_t had) {
    printf("REFUSED %s after %zu MiB: %s\n", what, had / MIB, strerror(errno));
    return 1;
}

static inline void touch(char *start, size_t size) {
    for (size_t i = 0; i < size; i += 4096)
        start[i] = 1;
}

static inline size_t fill(int fd) {
    static char chunk[65536];
    size_t had = 0;
    ssize_t wrote;
    fcntl(fd, F_SETFL, O_NONBLOCK);
    while ((wrote = write(fd, chunk, sizeof chunk)) > 0)
        had += wrote;
    return had;
}

/* Each process hoards what its descriptors allow and waits; there are many processes. */
static inline int hoard(const char *what, size_t (*one)(void)) {
    int report[2], processes = 32;
    if (pipe(report) != 0)
        return perror("pipe"), 1;
    for (int i = 0; i < processes; i++) {
        pid_t pid = fork();
        if (pid < 0) {
            processes = i;
            break;
        }
        if (pid == 0) {
            size_t had = 0, more;
            for (int n = 0; n < 100 && had < wanted() / 8 && (more = one()) > 0; n++)
                had += more;
            (void)!write(report[1], &had, sizeof had);
            pause();
        }
    }
    close(report[1]);
    size_t total = 0, had;
    for (int i = 0; i < processes && read(report[0], &had, sizeof had) == sizeof had; i++)
        total += had;
    int result = total >= wanted() ? held(what) : gave_up(what, total);
    signal(SIGTERM, SIG_IGN);
    kill(0, SIGTERM);
    while (wait(NULL) > 0)
        ;
    return result;
}

/* Runs the attack named by the first argument. Its exit code is the attack's: 0 where it worked or where it coped. */
static inline int dispatch(const struct attack *attacks, size_t count, int argc, char **argv) {
    setvbuf(stdout, NULL, _IOLBF, 0);
    for (size_t i = 0; i < count; i++)
        if (argc > 1 && strcmp(attacks[i].name, argv[1]) == 0)
            return attacks[i].run();
    fprintf(stderr, "no attack named %s\n", argc > 1 ? argv[1] : "(none)");
    return 99;
}

#define DISPATCH(table) \
    int main(int argc, char **argv) { return dispatch(table, sizeof table / sizeof *table, argc, argv); }
