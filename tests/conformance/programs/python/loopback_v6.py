# A server and its client over IPv6 loopback, where the kernel has IPv6; test suites of real programs do this.
import os, socket

if not os.path.exists("/proc/net/if_inet6"):
    print("WORKED as far as this kernel goes: no IPv6")
else:
    server = socket.create_server(("::1", 0), family=socket.AF_INET6)
    client = socket.create_connection(server.getsockname()[:2])
    peer, _ = server.accept()
    client.sendall(b"hello")
    print("WORKED", peer.recv(5))
