/* Memory held where a meter may not look. HOLD (MiB) says how much the attack wants; the sandbox allows less. */
#include "attack.h"
#include <sys/ipc.h>
#include <sys/msg.h>
#include <sys/shm.h>

static int touched(void) {
    for (size_t had = 0; had < wanted(); had += MIB) {
        char *chunk = mmap(NULL, MIB, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
        if (chunk == MAP_FAILED)
            return gave_up("memory", had);
        touch(chunk, MIB);
    }
    return held("held memory");
}

/* Runtimes reserve far more than they use: V8, Go, the JVM, sanitizers. */
static int reserved(void) {
    char *none = mmap(NULL, 64UL << 30, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    char *lazy = mmap(NULL, 16UL << 30, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (none == MAP_FAILED || lazy == MAP_FAILED)
        return perror("mmap"), 1;
    lazy[0] = lazy[8UL << 30] = 1;
    return puts("WORKED reserved 80 GiB"), 0;
}

static int split(void) {
    int ready[2];
    if (pipe(ready) != 0)
        return perror("pipe"), 1;
    for (int i = 0; i < 8; i++)
        if (fork() == 0) {
            char *chunk = mmap(NULL, wanted() / 8, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
            if (chunk == MAP_FAILED)
                _exit(gave_up("a share of memory", 0));
            touch(chunk, wanted() / 8);
            (void)!write(ready[1], "x", 1);
            pause();
        }
    close(ready[1]);
    char byte;
    for (int i = 0; i < 8; i++)
        if (read(ready[0], &byte, 1) != 1)
            return gave_up("memory in eight processes", i * wanted() / 8);
    int result = held("held memory in eight processes");
    signal(SIGTERM, SIG_IGN);
    kill(0, SIGTERM);
    while (wait(NULL) > 0)
        ;
    return result;
}

/* The child dies of its appetite, the parent smiles: the verdict is still "memory". */
static int child_alone(void) {
    pid_t pid = fork();
    if (pid == 0)
        _exit(touched());
    int status;
    waitpid(pid, &status, 0);
    printf("child %s %d\n", WIFSIGNALED(status) ? "killed by" : "exited", WIFSIGNALED(status) ? WTERMSIG(status) : WEXITSTATUS(status));
    return 0;
}

static int memfd(void) {
    int fd = syscall(SYS_memfd_create, "hoard", 0);
    if (fd < 0)
        return gave_up("memfd_create", 0);
    static char chunk[MIB];
    memset(chunk, 1, sizeof chunk);
    for (size_t had = 0; had < wanted(); had += MIB)
        if (write(fd, chunk, MIB) != (ssize_t)MIB)
            return gave_up("memfd", had);
    return held("held a memfd");
}

/* Filled, then detached: no process has these pages mapped any more. */
static int shm_detached(void) {
    for (size_t had = 0; had < wanted(); had += 8 * MIB) {
        int id = shmget(IPC_PRIVATE, 8 * MIB, IPC_CREAT | 0600);
        char *segment = id < 0 ? (void *)-1 : shmat(id, NULL, 0);
        if (segment == (void *)-1)
            return gave_up("detached shared memory", had);
        if (given("BARE")[0])
            shmctl(id, IPC_RMID, NULL);
        touch(segment, 8 * MIB);
        if (!given("BARE")[0])
            shmdt(segment);
    }
    return held("held detached shared memory");
}

static int message_queues(void) {
    struct {
        long type;
        char text[8192];
    } message = {1, {1}};
    int queues[32768];
    size_t count = 0, had = 0;
    int result = 0;
    while (had < wanted() && count < 32768) {
        int id = msgget(IPC_PRIVATE, IPC_CREAT | 0600);
        if (id < 0) {
            result = gave_up("message queues", had);
            break;
        }
        queues[count++] = id;
        while (msgsnd(id, &message, sizeof message.text, IPC_NOWAIT) == 0)
            had += sizeof message.text;
    }
    if (result == 0)
        result = had >= wanted() ? held("held message queues") : gave_up("message queues", had);
    if (given("BARE")[0])
        while (count > 0)
            msgctl(queues[--count], IPC_RMID, NULL);
    return result;
}

static size_t one_pipe(void) {
    int ends[2];
    if (pipe(ends) != 0)
        return 0;
    fcntl(ends[1], F_SETPIPE_SZ, MIB);
    return fill(ends[1]);
}
static size_t one_socket(void) {
    int ends[2], size = 4 * MIB;
    if (socketpair(AF_UNIX, SOCK_STREAM, 0, ends) != 0)
        return 0;
    setsockopt(ends[0], SOL_SOCKET, SO_SNDBUF, &size, sizeof size);
    return fill(ends[0]);
}
static int pipes(void) { return hoard("held pipe buffers", one_pipe); }
static int sockets(void) { return hoard("held socket buffers", one_socket); }

/* Dropped from the page tables, kept in the page cache: resident size falls to nothing, the memory stays. */
static int shared_out_of_sight(void) {
    for (size_t had = 0; had < wanted(); had += MIB) {
        char *chunk = mmap(NULL, MIB, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
        if (chunk == MAP_FAILED)
            return gave_up("shared memory out of sight", had);
        touch(chunk, MIB);
        madvise(chunk, MIB, MADV_DONTNEED);
    }
    return held("held shared memory out of sight");
}

/* Reading maps the zero page, which costs nothing; its page table costs 4 KiB for each 2 MiB of addresses. */
static int page_tables(void) {
    size_t span = 2 * MIB * (wanted() / 4096);
    volatile char *area = mmap(NULL, span, PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (area == MAP_FAILED)
        return gave_up("page tables", 0);
    madvise((void *)area, span, MADV_NOHUGEPAGE);
    for (size_t i = 0; i < span; i += 2 * MIB)
        (void)area[i];
    return held("held page tables");
}

/* Deleted files still hold their blocks while someone has them open. */
static int deleted_files(void) {
    static char chunk[MIB];
    memset(chunk, 1, sizeof chunk);
    size_t had = 0;
    for (int n = 0; had < wanted() && n < 200; n++) {
        int fd = open("deleted", O_RDWR | O_CREAT | O_EXCL, 0600);
        unlink("deleted");
        for (int i = 0; i < 8; i++, had += MIB)
            if (fd < 0 || write(fd, chunk, MIB) != (ssize_t)MIB)
                return gave_up("deleted files", had);
    }
    return held("held deleted files");
}

static int locked(void) {
    size_t size = 64 * MIB;
    char *chunk = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    attempt("mlockall", mlockall(MCL_CURRENT | MCL_FUTURE));
    return attempt("mlock", mlock(chunk, size)), 0;
}

static int huge_pages(void) {
    char *chunk = mmap(NULL, 2 * MIB, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_HUGETLB, -1, 0);
    return attempt("huge pages", chunk == MAP_FAILED ? -1 : 0), 0;
}

static int spare_me(void) {
    int fd = open("/proc/self/oom_score_adj", O_WRONLY);
    if (fd < 0)
        return refused("oom_score_adj"), 0;
    return attempt("oom_score_adj", write(fd, "-1000", 5)), 0;
}

static const struct attack attacks[] = {
    {"touched", touched}, {"reserved", reserved}, {"split", split}, {"child_alone", child_alone}, {"memfd", memfd},
    {"shm_detached", shm_detached}, {"message_queues", message_queues}, {"pipes", pipes}, {"sockets", sockets},
    {"shared_out_of_sight", shared_out_of_sight}, {"page_tables", page_tables}, {"deleted_files", deleted_files},
    {"locked", locked}, {"huge_pages", huge_pages}, {"spare_me", spare_me},
};
DISPATCH(attacks)
