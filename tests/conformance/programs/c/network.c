/* Ways out through sockets. */
#include "attack.h"
#include <arpa/inet.h>
#include <linux/if_packet.h>
#include <net/ethernet.h>
#include <net/if.h>
#include <netinet/in.h>
#include <netinet/ip_icmp.h>
#include <poll.h>
#include <sys/un.h>

static int connect_to(const char *address, int port, int type) {
    struct sockaddr_in v4 = {.sin_family = AF_INET, .sin_port = htons(port)};
    struct sockaddr_in6 v6 = {.sin6_family = AF_INET6, .sin6_port = htons(port)};
    int family = inet_pton(AF_INET, address, &v4.sin_addr) == 1 ? AF_INET : AF_INET6;
    if (family == AF_INET6)
        inet_pton(AF_INET6, address, &v6.sin6_addr);
    int fd = socket(family, type | SOCK_NONBLOCK, 0);
    if (fd < 0)
        return -1;
    void *target = family == AF_INET ? (void *)&v4 : (void *)&v6;
    socklen_t size = family == AF_INET ? sizeof v4 : sizeof v6;
    if (type == SOCK_DGRAM)
        return sendto(fd, "leak", 4, 0, target, size) == 4 ? fd : -1;
    if (connect(fd, target, size) == 0)
        return fd;
    if (errno != EINPROGRESS)
        return -1;
    struct pollfd wait = {fd, POLLOUT, 0};
    int error = ETIMEDOUT;
    socklen_t length = sizeof error;
    if (poll(&wait, 1, 1000) == 1)
        getsockopt(fd, SOL_SOCKET, SO_ERROR, &error, &length);
    errno = error;
    return error ? -1 : fd;
}

static int host_loopback(void) {
    int port = atoi(given("TCP_PORT"));
    attempt("tcp 127.0.0.1", connect_to("127.0.0.1", port, SOCK_STREAM));
    attempt("tcp 127.9.9.9", connect_to("127.9.9.9", port, SOCK_STREAM));
    attempt("tcp 0.0.0.0", connect_to("0.0.0.0", port, SOCK_STREAM));
    attempt("tcp ::ffff:127.0.0.1", connect_to("::ffff:127.0.0.1", port, SOCK_STREAM));
    return attempt("tcp ::1", connect_to("::1", atoi(given("TCP6_PORT")), SOCK_STREAM)), 0;
}

/* A datagram to a closed port is "sent" too: whether it arrived, the host tells. */
static int host_loopback_udp(void) {
    int fd = connect_to("127.0.0.1", atoi(given("UDP_PORT")), SOCK_DGRAM);
    return puts(fd >= 0 ? "REFUSED if nobody heard it" : "REFUSED sendto"), 0;
}

static int outside(void) {
    static const char *const addresses[] = {"1.1.1.1", "8.8.8.8", "10.0.0.1", "172.17.0.1", "192.168.1.1",
                                            "169.254.169.254", "100.100.100.200", "fd00:ec2::254", "2606:4700:4700::1111"};
    for (size_t i = 0; i < sizeof addresses / sizeof *addresses; i++) {
        attempt(addresses[i], connect_to(addresses[i], 80, SOCK_STREAM));
        attempt(addresses[i], connect_to(addresses[i], 53, SOCK_DGRAM));
    }
    return 0;
}
static int outside_and_failed(void) { return attempt("1.1.1.1", connect_to("1.1.1.1", 443, SOCK_STREAM)); }

static int raw_sockets(void) {
    attempt("icmp", socket(AF_INET, SOCK_RAW, IPPROTO_ICMP));
    attempt("icmp6", socket(AF_INET6, SOCK_RAW, IPPROTO_ICMPV6));
    attempt("raw", socket(AF_INET, SOCK_RAW, IPPROTO_RAW));
    attempt("packet", socket(AF_PACKET, SOCK_RAW, htons(ETH_P_ALL)));
    return attempt("packet datagram", socket(AF_PACKET, SOCK_DGRAM, htons(ETH_P_ALL))), 0;
}

static int strange_families(void) {
    static const struct {
        int family;
        int type;
        const char *name;
    } kinds[] = {{40, SOCK_STREAM, "vsock"}, {38, SOCK_SEQPACKET, "alg"}, {44, SOCK_RAW, "xdp"}, {15, SOCK_RAW, "key"},
                 {29, SOCK_RAW, "can"}, {31, SOCK_RAW, "bluetooth"}, {30, SOCK_RDM, "tipc"}, {43, SOCK_STREAM, "smc"},
                 {21, SOCK_SEQPACKET, "rds"}, {39, SOCK_SEQPACKET, "nfc"}, {41, SOCK_DGRAM, "kcm"}, {5, SOCK_DGRAM, "appletalk"},
                 {9, SOCK_SEQPACKET, "x25"}, {3, SOCK_DGRAM, "ax25"}, {35, SOCK_DGRAM, "phonet"}, {36, SOCK_DGRAM, "ieee802154"}};
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++)
        attempt(kinds[i].name, socket(kinds[i].family, kinds[i].type, 0));
    return 0;
}

static int netlink_families(void) {
    for (int protocol = 1; protocol < 23; protocol++) {
        char what[32];
        snprintf(what, sizeof what, "netlink %d", protocol);
        attempt(what, socket(AF_NETLINK, SOCK_RAW, protocol));
    }
    return 0;
}

/* Some programs list their interfaces; the answer must be the sandbox's own. */
static int interfaces(void) {
    struct if_nameindex *list = if_nameindex();
    if (!list)
        return perror("if_nameindex"), 1;
    for (struct if_nameindex *one = list; one->if_name; one++)
        printf("%s %s\n", strcmp(one->if_name, "lo") == 0 ? "REFUSED all but" : "WORKED", one->if_name);
    return 0;
}

static int configure(void) {
    int fd = socket(AF_INET, SOCK_DGRAM, 0);
    struct ifreq request = {0};
    strcpy(request.ifr_name, "lo");
    ioctl(fd, SIOCGIFFLAGS, &request);
    return attempt("change an interface", ioctl(fd, SIOCSIFFLAGS, &request)), 0;
}

static int unix_at(const char *path, int abstract) {
    struct sockaddr_un address = {.sun_family = AF_UNIX};
    strncpy(address.sun_path + abstract, path, sizeof address.sun_path - 2);
    int fd = socket(AF_UNIX, SOCK_STREAM, 0);
    socklen_t size = offsetof(struct sockaddr_un, sun_path) + abstract + strlen(path);
    return connect(fd, (void *)&address, size) == 0 ? fd : -1;
}
static int host_sockets(void) {
    attempt("abstract socket", unix_at(given("ABSTRACT"), 1));
    attempt("socket in the file system", unix_at(given("SOCKET"), 0));
    static const char *const known[] = {"/var/run/docker.sock", "/run/docker.sock", "/run/containerd/containerd.sock",
                                        "/run/dbus/system_bus_socket", "/tmp/.X11-unix/X0", "/run/systemd/private",
                                        "/run/podman/podman.sock", "/var/run/nscd/socket"};
    for (size_t i = 0; i < sizeof known / sizeof *known; i++)
        attempt(known[i], unix_at(known[i], 0));
    return 0;
}

/* A server and its client inside: tests of real programs do this. */
static int own_loopback(void) {
    struct sockaddr_in address = {.sin_family = AF_INET, .sin_addr = {htonl(INADDR_LOOPBACK)}};
    socklen_t size = sizeof address;
    int server = socket(AF_INET, SOCK_STREAM, 0);
    if (bind(server, (void *)&address, size) != 0 || listen(server, 1) != 0)
        return perror("listen"), 1;
    getsockname(server, (void *)&address, &size);
    int client = connect_to("127.0.0.1", ntohs(address.sin_port), SOCK_STREAM);
    if (client < 0)
        return perror("connect"), 1;
    int accepted = accept(server, NULL, NULL);
    char buffer[8] = "";
    if (write(client, "hello", 5) != 5 || read(accepted, buffer, 5) != 5)
        return perror("talk"), 1;
    return printf("WORKED %s\n", buffer), 0;
}

/* Descriptors travel over Unix sockets within a sandbox; that is its own affair. */
static int pass_descriptors(void) {
    int ends[2];
    return socketpair(AF_UNIX, SOCK_SEQPACKET, 0, ends) == 0 ? puts("WORKED a pair of sockets"), 0 : 1;
}

/* A label of the network outlives its socket and its process: who comes next finds it. */
static int flow_labels(void) {
    struct {
        struct in6_addr to;
        uint32_t label;
        uint8_t action, share;
        uint16_t flags, expires, linger;
        uint32_t unused;
    } request = {.to = IN6ADDR_LOOPBACK_INIT, .label = htonl(0x12345), .action = 0, .share = 1, .flags = 1, .linger = 60};
    int fd = socket(AF_INET6, SOCK_DGRAM, 0);
    return attempt("flow label", setsockopt(fd, IPPROTO_IPV6, 32, &request, sizeof request)), 0;
}

static const struct attack attacks[] = {
    {"host_loopback", host_loopback}, {"host_loopback_udp", host_loopback_udp}, {"outside", outside},
    {"outside_and_failed", outside_and_failed}, {"raw_sockets", raw_sockets}, {"strange_families", strange_families},
    {"netlink_families", netlink_families}, {"interfaces", interfaces}, {"configure", configure},
    {"host_sockets", host_sockets}, {"flow_labels", flow_labels}, {"own_loopback", own_loopback}, {"pass_descriptors", pass_descriptors},
};
DISPATCH(attacks)
