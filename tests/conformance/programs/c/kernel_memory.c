/* Memory that the kernel holds for a program: in sockets, pipes, locks and lists, or in pages that no process has mapped. */
#include "attack.h"
#include <arpa/inet.h>
#include <linux/netlink.h>
#include <linux/rtnetlink.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <pthread.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/sem.h>
#include <sys/sendfile.h>

static struct sockaddr_in loopback(int port) {
    struct sockaddr_in address = {.sin_family = AF_INET, .sin_port = port};
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    return address;
}

/* A socket bound to a port of its own choice, and its address. */
static int bound(int type, struct sockaddr_in *address) {
    socklen_t length = sizeof *address;
    int fd = socket(AF_INET, type, 0);
    *address = loopback(0);
    if (fd < 0 || bind(fd, (void *)address, length) != 0 || getsockname(fd, (void *)address, &length) != 0)
        return -1;
    return fd;
}

static size_t one_tcp(void) {
    static struct sockaddr_in address;
    static int door = -1;
    if (door < 0) {
        door = bound(SOCK_STREAM, &address);
        listen(door, 128);
    }
    int size = 8 * MIB, from = socket(AF_INET, SOCK_STREAM, 0);
    setsockopt(from, SOL_SOCKET, SO_SNDBUF, &size, sizeof size);
    if (connect(from, (void *)&address, sizeof address) != 0)
        return 0;
    int to = accept(door, NULL, NULL);
    return to < 0 ? 0 : fill(from);
}
static int tcp_buffers(void) { return hoard("held TCP buffers", one_tcp); }

static size_t one_udp(void) {
    static char chunk[32768];
    struct sockaddr_in address;
    int to = bound(SOCK_DGRAM, &address), from = socket(AF_INET, SOCK_DGRAM, 0), size = 8 * MIB, left = 0;
    if (to < 0 || from < 0)
        return 0;
    setsockopt(to, SOL_SOCKET, SO_RCVBUF, &size, sizeof size);
    for (int i = 0; i < 16; i++)
        sendto(from, chunk, sizeof chunk, MSG_DONTWAIT, (void *)&address, sizeof address);
    close(from);
    /* What has arrived: all else was dropped. */
    size_t had = 0;
    for (ssize_t got; (got = recv(to, chunk, sizeof chunk, MSG_DONTWAIT)) > 0;)
        had += got;
    if (had == 0)
        return 0;
    from = socket(AF_INET, SOCK_DGRAM, 0);
    for (size_t sent = 0; sent < had; sent += sizeof chunk)
        sendto(from, chunk, sizeof chunk, MSG_DONTWAIT, (void *)&address, sizeof address);
    close(from);
    return had;
}
static int udp_buffers(void) { return hoard("held UDP buffers", one_udp); }

/* Each refused request comes back with its whole text, and waits to be read. */
static size_t one_netlink(void) {
    static char chunk[32768];
    struct sockaddr_nl kernel = {.nl_family = AF_NETLINK};
    struct nlmsghdr *header = (void *)chunk;
    *header = (struct nlmsghdr){.nlmsg_len = sizeof chunk, .nlmsg_type = 0xfff0, .nlmsg_flags = NLM_F_REQUEST | NLM_F_ACK};
    int fd = socket(AF_NETLINK, SOCK_RAW, NETLINK_ROUTE), size = 4 * MIB;
    if (fd < 0)
        return 0;
    setsockopt(fd, SOL_SOCKET, SO_RCVBUF, &size, sizeof size);
    for (int i = 0; i < 12; i++)
        sendto(fd, chunk, sizeof chunk, MSG_DONTWAIT, (void *)&kernel, sizeof kernel);
    return 12 * sizeof chunk;
}
static int netlink_replies(void) { return hoard("held netlink replies", one_netlink); }

/* One record of a lock takes more than 200 bytes. Each new one is compared with all of its file: there are many files. */
static size_t lock_many(int command, size_t bytes) {
    static int files = 0;
    char name[32];
    size_t had = 0;
    while (had < bytes) {
        sprintf(name, "locked-%d-%d", (int)getpid(), files++);
        int fd = open(name, O_RDWR | O_CREAT, 0600);
        if (fd < 0)
            return had;
        for (long i = 400; i > 0 && had < bytes; i--, had += 200) {
            struct flock lock = {.l_type = F_WRLCK, .l_whence = SEEK_SET, .l_start = 2 * i, .l_len = 1};
            if (fcntl(fd, command, &lock) != 0)
                return had;
        }
    }
    return had;
}
static int locks(const char *what, int command) {
    size_t had = lock_many(command, wanted());
    return had < wanted() ? gave_up(what, had) : held(what);
}
static int file_locks(void) { return locks("held file locks", F_SETLK); }
#ifndef F_OFD_SETLK
#define F_OFD_SETLK 37
#endif
static int description_locks(void) { return locks("held locks of open files", F_OFD_SETLK); }

/* Locks belong to the table of open files, and name the process that asked: that one is gone. */
static int lock_and_leave(void *unused) { return lock_many(F_SETLK, wanted()) < wanted(); }
static int locks_of_the_dead(void) {
    static char stack[1 << 20];
    int status, pid = clone(lock_and_leave, stack + sizeof stack, CLONE_FILES | SIGCHLD, NULL);
    if (pid < 0 || waitpid(pid, &status, 0) != pid || status != 0)
        return gave_up("locks of a dead process", 0);
    return held("held locks of a dead process");
}

/* Shared memory of which all but one page was given back: nobody has the rest mapped, and it stays. */
static int split_mappings(void) {
    for (size_t had = 0; had < wanted(); had += 8 * MIB) {
        char *chunk = mmap(NULL, 8 * MIB, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
        if (chunk == MAP_FAILED)
            return gave_up("what was split off", had);
        touch(chunk, 8 * MIB);
        munmap(chunk + 4096, 8 * MIB - 4096);
    }
    return held("held what was split off");
}

/* The same by the device of zeros. */
static int split_zeros(void) {
    int fd = open("/dev/zero", O_RDWR);
    for (size_t had = 0; had < wanted(); had += 8 * MIB) {
        char *chunk = mmap(NULL, 8 * MIB, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
        if (fd < 0 || chunk == MAP_FAILED)
            return gave_up("zeros that were split off", had);
        touch(chunk, 8 * MIB);
        munmap(chunk + 4096, 8 * MIB - 4096);
    }
    return held("held zeros that were split off");
}

/* A process whose first thread has ended looks as if it had no memory. */
static void *outlive(void *unused) {
    usleep(50000);
    exit(({
        size_t had = 0;
        for (; had < wanted(); had += MIB) {
            char *chunk = mmap(NULL, MIB, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
            if (chunk == MAP_FAILED)
                break;
            touch(chunk, MIB);
        }
        had < wanted() ? gave_up("memory without a first thread", had) : held("held memory without a first thread");
    }));
}
static int dead_leader(void) {
    pthread_t thread;
    pthread_create(&thread, NULL, outlive, NULL);
    syscall(SYS_exit, 0);
    return 1;
}

/* One byte of a huge page in a pipe holds all of it. */
static size_t one_pipe_of_huge_pages(void) {
    int ends[2];
    size_t had = 0;
    if (pipe(ends) != 0)
        return 0;
    for (int i = 0; i < 16; i++) {
        char *area = mmap(NULL, 4 * MIB, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
        if (area == MAP_FAILED)
            return had;
        char *start = (char *)(((uintptr_t)area + 2 * MIB - 1) & ~(2 * MIB - 1));
        madvise(start, 2 * MIB, MADV_HUGEPAGE);
        touch(start, 2 * MIB);
        struct iovec piece = {start, 1};
        ssize_t moved = vmsplice(ends[1], &piece, 1, SPLICE_F_NONBLOCK);
        munmap(area, 4 * MIB);
        if (moved != 1)
            return had;
        had += 2 * MIB;
    }
    return had;
}
static int huge_pages_in_pipes(void) { return hoard("held huge pages in pipes", one_pipe_of_huge_pages); }

/* Pages of a file that is then cut short belong to the pipe, or to the socket, that they were sent into. */
static int send_and_cut(const char *what, int pipes) {
    static char page[4096];
    size_t had = 0;
    int file = open("sent", O_RDWR | O_CREAT, 0600), ends[2] = {-1, -1};
    memset(page, 1, sizeof page);
    while (had < wanted()) {
        if (ends[0] < 0 && (pipes ? pipe(ends) : socketpair(AF_UNIX, SOCK_STREAM, 0, ends)) != 0)
            return gave_up(what, had);
        fcntl(ends[1], F_SETFL, O_NONBLOCK);
        if (pipes)
            fcntl(ends[1], F_SETPIPE_SZ, MIB);
        off_t from = 0;
        if (pwrite(file, page, sizeof page, 0) != sizeof page)
            return gave_up(what, had);
        ssize_t moved = pipes ? splice(file, &from, ends[1], NULL, 1, SPLICE_F_NONBLOCK) : sendfile(ends[1], file, &from, 1);
        (void)!ftruncate(file, 0);
        if (moved == 1)
            had += sizeof page;
        else if (errno != EAGAIN)
            return gave_up(what, had);
        else
            ends[0] = -1;
    }
    return held(what);
}
static int pages_in_pipes(void) { return send_and_cut("held pages in pipes", 1); }
static int pages_in_sockets(void) { return send_and_cut("held pages in sockets", 0); }

/* Each second page of another kind: each is an entry of its own in the kernel's lists, of more than 200 bytes. */
static size_t one_set_of_mappings(void) {
    size_t count = 60000;
    char *area = mmap(NULL, count * 4096, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (area == MAP_FAILED)
        return 0;
    for (size_t i = 0; i < count; i += 2)
        if (mprotect(area + i * 4096, 4096, PROT_READ) != 0)
            return i * 200;
    return count * 200;
}
static int mappings(void) { return hoard("held entries of mappings", one_set_of_mappings); }

/* An entry of an epoll set takes 200 bytes; each of many sets can watch each of many files. */
static size_t one_epoll(void) {
    enum { MANY = 200 };
    static int watched[MANY], made = 0;
    for (; made < MANY; made++)
        if ((watched[made] = eventfd(0, 0)) < 0)
            return 0;
    size_t had = 0;
    for (int sets = 0; sets < 4; sets++) {
        int set = epoll_create1(0);
        for (int i = 0; set >= 0 && i < MANY; i++) {
            struct epoll_event event = {.events = EPOLLIN};
            if (epoll_ctl(set, EPOLL_CTL_ADD, watched[i], &event) != 0)
                return had;
            had += 200;
        }
    }
    return had;
}
static int epoll_entries(void) { return hoard("held entries of epoll", one_epoll); }

static int semaphores(void) {
    int sets[4096], count = 0, result = 0;
    size_t had = 0;
    while (had < wanted() && count < 4096) {
        int id = semget(IPC_PRIVATE, 32000, IPC_CREAT | 0600);
        if (id < 0)
            break;
        sets[count++] = id;
        had += 32000 * 64;
    }
    result = had < wanted() ? gave_up("held semaphores", had) : held("held semaphores");
    while (count > 0)
        semctl(sets[--count], 0, IPC_RMID);
    return result;
}

static const struct attack attacks[] = {
    {"tcp_buffers", tcp_buffers}, {"udp_buffers", udp_buffers}, {"netlink_replies", netlink_replies},
    {"file_locks", file_locks}, {"description_locks", description_locks}, {"locks_of_the_dead", locks_of_the_dead},
    {"split_mappings", split_mappings}, {"split_zeros", split_zeros}, {"dead_leader", dead_leader},
    {"huge_pages_in_pipes", huge_pages_in_pipes}, {"pages_in_pipes", pages_in_pipes},
    {"pages_in_sockets", pages_in_sockets}, {"mappings", mappings}, {"epoll_entries", epoll_entries},
    {"semaphores", semaphores},
};
DISPATCH(attacks)
