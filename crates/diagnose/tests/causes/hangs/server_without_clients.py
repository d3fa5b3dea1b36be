# hang: socket | 7 | accept
import socket

server = socket.socket()
server.bind(("127.0.0.1", 0))
server.listen()
connection, peer = server.accept()
print(peer)
