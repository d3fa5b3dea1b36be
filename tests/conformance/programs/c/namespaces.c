/* Ways out through mounts, namespaces, identities, devices and the kernel's own files. */
#include "attack.h"
#include <linux/capability.h>
#include <linux/securebits.h>
#include <linux/mount.h>
#include <sys/sysmacros.h>

/* Harmless on a host: nothing exists at the places named. */
static int mount_tmpfs(void) { return reached("mount", mount("none", "/nonexistent", "tmpfs", 0, NULL)), 0; }
static int bind_mount(void) { return reached("bind mount", mount("/nonexistent", "/nonexistent", NULL, MS_BIND, NULL)), 0; }
static int unmount(void) { return reached("umount2", umount2("/nonexistent", MNT_DETACH)), 0; }
static int remount_writable(void) {
    return reached("remount", mount(NULL, "/nonexistent", NULL, MS_REMOUNT | MS_BIND, NULL)), 0;
}

static int new_mount_calls(void) {
    int fs = syscall(SYS_fsopen, "tmpfs", 0);
    attempt("fsopen", fs);
    attempt("open_tree", syscall(SYS_open_tree, AT_FDCWD, "/", OPEN_TREE_CLONE));
    reached("move_mount", syscall(SYS_move_mount, -1, "", AT_FDCWD, "/nonexistent", MOVE_MOUNT_F_EMPTY_PATH));
    struct mount_attr attr = {.attr_clr = MOUNT_ATTR_RDONLY};
    reached("mount_setattr", syscall(SYS_mount_setattr, AT_FDCWD, "/nonexistent", 0, &attr, sizeof attr));
    reached("fspick", syscall(SYS_fspick, AT_FDCWD, "/nonexistent", 0));
    return reached("fsmount", syscall(SYS_fsmount, -1, 0, 0)), 0;
}

static int second_pivot(void) { return reached("pivot_root", syscall(SYS_pivot_root, "/nonexistent", "/nonexistent")), 0; }

/* The classic: chroot below, climb above. */
static int chroot_escape(void) {
    mkdir("pit", 0755);
    if (chroot("pit") != 0)
        return refused("chroot"), 0;
    for (int i = 0; i < 64; i++)
        if (chdir("..") != 0)
            break;
    return attempt("chroot escape", chroot(".") == 0 ? access(given("FLAG"), F_OK) : -1), 0;
}

static int nested_user(void) {
    return attempt("unshare(user)", unshare(CLONE_NEWUSER)), 0;
}

static int child_of_new_namespaces(int flags, const char *what) {
    long pid = syscall(SYS_clone, flags | SIGCHLD, NULL, NULL, NULL, 0);
    if (pid == 0)
        _exit(0);
    if (pid > 0)
        waitpid(pid, NULL, 0);
    return attempt(what, pid);
}

static int clone_new_user(void) { return child_of_new_namespaces(CLONE_NEWUSER, "clone(user)"), 0; }

static int every_namespace(void) {
    static const struct {
        int flag;
        const char *name;
    } kinds[] = {{CLONE_NEWNS, "mount"}, {CLONE_NEWPID, "pid"}, {CLONE_NEWNET, "net"}, {CLONE_NEWIPC, "ipc"},
                 {CLONE_NEWUTS, "uts"}, {CLONE_NEWCGROUP, "cgroup"}, {0x80 /* time */, "time"}};
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++) {
        if (fork() == 0)
            _exit(attempt(kinds[i].name, unshare(kinds[i].flag)));
        wait(NULL);
    }
    return 0;
}

/* A user namespace gives capabilities over a mount namespace of one's own, and with them the kernel's mount code. */
static int nested_user_then_mount(void) {
    if (unshare(CLONE_NEWUSER | CLONE_NEWNS) != 0)
        return refused("unshare(user, mount)"), 0;
    return attempt("mount in a nested namespace", mount("none", "/tmp", "tmpfs", 0, NULL)), 0;
}

static int enter_namespaces(void) {
    static const char *const kinds[] = {"mnt", "pid", "net", "ipc", "uts", "cgroup", "user"};
    pid_t targets[] = {1, victim(), getppid()};
    for (size_t t = 0; t < 3; t++)
        for (size_t i = 0; i < 7; i++) {
            char path[64];
            snprintf(path, sizeof path, "/proc/%d/ns/%s", targets[t], kinds[i]);
            int fd = open(path, O_RDONLY);
            if (fd < 0) {
                refused(path);
                continue;
            }
            attempt(path, setns(fd, 0));
            close(fd);
        }
    int pidfd = syscall(SYS_pidfd_open, victim(), 0);
    if (pidfd < 0)
        return refused("pidfd_open"), 0;
    return attempt("setns by pidfd", setns(pidfd, CLONE_NEWNS | CLONE_NEWNET)), 0;
}

static int raise_capabilities(void) {
    struct __user_cap_header_struct header = {_LINUX_CAPABILITY_VERSION_3, 0};
    struct __user_cap_data_struct data[2] = {{~0u, ~0u, ~0u}, {0x1ff, 0x1ff, 0x1ff}};
    struct __user_cap_data_struct one[2] = {{1u << CAP_CHOWN, 1u << CAP_CHOWN, 1u << CAP_CHOWN}, {0, 0, 0}};
    attempt("capset all", syscall(SYS_capset, &header, data));
    attempt("capset one", syscall(SYS_capset, &header, one));
    attempt("ambient", prctl(PR_CAP_AMBIENT, PR_CAP_AMBIENT_RAISE, CAP_CHOWN, 0, 0));
    return attempt("securebits", prctl(PR_SET_SECUREBITS, SECBIT_KEEP_CAPS | SECBIT_NO_SETUID_FIXUP, 0, 0, 0)), 0;
}

static int become_root(void) {
    gid_t none = 0;
    attempt("setgroups", syscall(SYS_setgroups, 1, &none));
    attempt("setgid", syscall(SYS_setgid, 0));
    attempt("setresgid", syscall(SYS_setresgid, 0, 0, 0));
    attempt("setuid", syscall(SYS_setuid, 0));
    attempt("setresuid", syscall(SYS_setresuid, 0, 0, 0));
    return attempt("setreuid", syscall(SYS_setreuid, 0, 0)), 0;
}

static int device_nodes(void) {
    attempt("mknod disk", mknod("disk", S_IFBLK | 0600, makedev(8, 0)));
    attempt("mknod kmem", mknod("kmem", S_IFCHR | 0600, makedev(1, 2)));
    attempt("mknod null", mknod("null", S_IFCHR | 0600, makedev(1, 3)));
    unlink("disk"), unlink("kmem"), unlink("null");
    return 0;
}

static int host_devices(void) {
    static const char *const devices[] = {
        "/dev/kvm", "/dev/fuse", "/dev/net/tun", "/dev/mem", "/dev/kmem", "/dev/port", "/dev/vda", "/dev/sda",
        "/dev/nvme0n1", "/dev/loop-control", "/dev/loop0", "/dev/userfaultfd", "/dev/vsock", "/dev/vhost-vsock", "/dev/tty0",
        "/dev/tty1", "/dev/ttyS0", "/dev/console", "/dev/kmsg", "/dev/hwrng", "/dev/dri/card0", "/dev/input/event0",
        "/dev/btrfs-control", "/dev/autofs", "/dev/zram0", "/dev/cpu_dma_latency", "/dev/mapper/control"};
    for (size_t i = 0; i < sizeof devices / sizeof *devices; i++) {
        struct stat status;
        /* Looking is enough: to open a watchdog or a terminal could do harm. */
        if (lstat(devices[i], &status) == 0)
            worked(devices[i]);
        else
            refused(devices[i]);
    }
    return 0;
}

static int kernel_files(void) {
    static const char *const files[] = {
        "/proc/sys/kernel/core_pattern", "/proc/sys/kernel/modprobe", "/proc/sys/kernel/hotplug", "/proc/sysrq-trigger",
        "/proc/sys/fs/binfmt_misc/register", "/proc/sys/kernel/hostname", "/proc/sys/kernel/randomize_va_space",
        "/proc/sys/vm/overcommit_memory", "/proc/sys/vm/drop_caches", "/proc/sys/net/ipv4/ip_forward",
        "/proc/sys/kernel/ns_last_pid", "/proc/sys/kernel/msgmax", "/proc/sys/fs/mqueue/msg_max", "/proc/irq/0/smp_affinity",
        "/proc/1/oom_score_adj", "/sys/kernel/uevent_helper", "/sys/fs/cgroup/memory/release_agent",
        "/sys/fs/cgroup/cgroup.procs", "/sys/power/state", "/sys/kernel/mm/transparent_hugepage/enabled"};
    for (size_t i = 0; i < sizeof files / sizeof *files; i++)
        attempt(files[i], open(files[i], O_WRONLY));
    return 0;
}

static int kernel_secrets(void) {
    static const char *const files[] = {"/proc/kcore", "/proc/kmsg", "/proc/kallsyms", "/proc/keys", "/proc/key-users",
                                        "/proc/timer_list", "/proc/sched_debug", "/proc/slabinfo", "/proc/vmallocinfo",
                                        "/proc/config.gz", "/proc/acpi/wakeup", "/proc/scsi/scsi"};
    for (size_t i = 0; i < sizeof files / sizeof *files; i++) {
        char byte;
        int fd = open(files[i], O_RDONLY | O_NONBLOCK);
        if (fd < 0) {
            refused(files[i]);
            continue;
        }
        errno = ENODATA;
        attempt(files[i], read(fd, &byte, 1) == 1 ? 0 : -1);
        close(fd);
    }
    return 0;
}

static int cgroup_release_agent(void) {
    mkdir("cg", 0755);
    long result = unshare(CLONE_NEWUSER | CLONE_NEWNS | CLONE_NEWCGROUP);
    attempt("unshare(user, mount, cgroup)", result);
    if (mount("cgroup", "cg", "cgroup", 0, "memory") != 0)
        return refused("mount of cgroup v1"), 0;
    int fd = open("cg/release_agent", O_WRONLY);
    return attempt("release_agent", fd), 0;
}

static int raise_own_limits(void) {
    static const char *const files[] = {"/sys/fs/cgroup/memory.max", "/sys/fs/cgroup/pids.max", "/sys/fs/cgroup/cgroup.procs",
                                        "/sys/fs/cgroup/memory/memory.limit_in_bytes", "/sys/fs/cgroup/memory/cgroup.procs",
                                        "/sys/fs/cgroup/pids/pids.max", "/sys/fs/cgroup/unified/cgroup.procs"};
    for (size_t i = 0; i < sizeof files / sizeof *files; i++)
        attempt(files[i], open(files[i], O_WRONLY));
    struct rlimit all = {RLIM_INFINITY, RLIM_INFINITY};
    static const int kinds[] = {RLIMIT_NOFILE, RLIMIT_FSIZE, RLIMIT_CORE, RLIMIT_MEMLOCK};
    for (size_t i = 0; i < 4; i++) {
        struct rlimit now;
        getrlimit(kinds[i], &now);
        if (now.rlim_max == RLIM_INFINITY)
            continue;
        /* What the call says is one thing, what holds then another. */
        int said = setrlimit(kinds[i], &all);
        getrlimit(kinds[i], &now);
        attempt("raise a resource limit", said == 0 && now.rlim_cur == RLIM_INFINITY ? 0 : -1);
    }
    return 0;
}

static int rename_host(void) {
    attempt("sethostname", sethostname(given("CASE"), 4));
    return attempt("setdomainname", setdomainname("evil", 4)), 0;
}

/* Masked paths are often covered by /dev/null: if that can be replaced before the mask is laid, the mask is the attacker's. */
static int replace_devices(void) {
    static const char *const devices[] = {"/dev/null", "/dev/zero", "/dev/urandom", "/dev/stdin", "/dev/fd", "/dev/shm"};
    for (size_t i = 0; i < sizeof devices / sizeof *devices; i++) {
        char elsewhere[64];
        snprintf(elsewhere, sizeof elsewhere, "%s.moved", devices[i]);
        attempt(devices[i], rename(devices[i], elsewhere));
        attempt(devices[i], symlink("/proc/sysrq-trigger", elsewhere));
        attempt(devices[i], unlink(devices[i]));
    }
    return attempt("mknod in /dev", mknod("/dev/evil", S_IFCHR | 0600, makedev(1, 1))), 0;
}

static const struct attack attacks[] = {
    {"mount_tmpfs", mount_tmpfs}, {"bind_mount", bind_mount}, {"unmount", unmount}, {"remount_writable", remount_writable},
    {"new_mount_calls", new_mount_calls}, {"second_pivot", second_pivot}, {"chroot_escape", chroot_escape},
    {"nested_user", nested_user}, {"clone_new_user", clone_new_user}, {"every_namespace", every_namespace},
    {"nested_user_then_mount", nested_user_then_mount}, {"enter_namespaces", enter_namespaces},
    {"raise_capabilities", raise_capabilities}, {"become_root", become_root}, {"device_nodes", device_nodes},
    {"host_devices", host_devices}, {"kernel_files", kernel_files}, {"kernel_secrets", kernel_secrets},
    {"cgroup_release_agent", cgroup_release_agent}, {"raise_own_limits", raise_own_limits}, {"rename_host", rename_host},
    {"replace_devices", replace_devices},
};
DISPATCH(attacks)
