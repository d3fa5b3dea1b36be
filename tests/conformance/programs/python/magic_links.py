# Links in /proc lead past any path check; none may lead to the host.
import os

flag = os.environ["FLAG"]
ways = [f"/proc/{who}/{link}{flag}" for who in ("self", "1", "thread-self", os.getppid()) for link in ("root", "cwd")]
ways += [f"/proc/{who}/cwd/../../../../../..{flag}" for who in ("self", "1")]
ways += [f"/proc/self/fd/{fd}/../../../../../..{flag}" for fd in range(0, 64)]
ways += [f"/dev/fd/{fd}{flag}" for fd in range(3, 64)]
ways += [f"/proc/{os.environ['VICTIM']}/root{flag}", f"/proc/{os.environ['SUPERVISOR']}/cwd/../../../../../..{flag}"]
for way in ways:
    try:
        print("WORKED", way, open(way).read())
    except OSError as error:
        print("REFUSED", way, error.strerror)
