"""An adapter that misbehaves in the way that it is told to."""
import json
import sys
import time

way = sys.argv[1]
seq = 0


def raw(data):
    sys.stdout.buffer.write(data)
    sys.stdout.buffer.flush()


def say(**message):
    global seq
    seq += 1
    body = json.dumps({"seq": seq, **message}).encode()
    raw(b"Content-Length: %d\r\n\r\n" % len(body) + body)


def hear():
    length = 0
    while True:
        line = sys.stdin.buffer.readline()
        if not line:
            sys.exit(0)
        if line == b"\r\n":
            return json.loads(sys.stdin.buffer.read(length))
        length = int(line.split(b":")[1])


def answer(request, body=None, success=True, **more):
    say(type="response", request_seq=request["seq"], success=success, command=request["command"], body=body, **more)


def event(name, body=None):
    say(type="event", event=name, body=body)


EVERYTHING = {"supportsConfigurationDoneRequest": True, "supportsFunctionBreakpoints": True,
              "supportsConditionalBreakpoints": True, "supportsExceptionInfoRequest": True}

print(json.dumps({"event": "debugger", "text": "lldb", "told": {"home": "/work"}}), flush=True)
if way == "garbage":
    raw(b"\x7fELF\x00\x01" * 1000)
elif way == "header":
    raw(b"A" * 100_000)
elif way == "length":
    raw(b"Content-Length: 99999999999\r\n\r\n")
elif way == "no json":
    raw(b"Content-Length: 5\r\n\r\nhello")
elif way == "nested":
    raw(b"Content-Length: 200000\r\n\r\n" + b"[" * 200_000)
elif way == "gone":
    sys.exit(3)
elif way == "silence":
    time.sleep(600)
elif way == "flood":
    while True:
        event("output", {"category": "console", "output": "x" * 1000})
# All that an adapter can give at a stop, or little: what is too much ends the run sooner or later, as the machine is quick.
many = 500 if way == "much" else 2
while True:
    request = hear()
    if request["type"] == "response":
        assert request["success"] is False, "nothing may be started for an adapter"
        continue
    command = request["command"]
    if command == "initialize":
        if way == "other form":
            answer(request, {"supportsFunctionBreakpoints": "perhaps"})
        say(type="response", request_seq=999, success=True, command="never asked")
        answer(request, EVERYTHING)
        say(type="request", command="runInTerminal", arguments={"args": ["sh", "-c", "touch /tmp/owned"]})
    elif command == "launch":
        if way == "refuses":
            answer(request, {"error": {"format": "no such program: " + "y" * 100_000}}, False, message="no such")
            continue
        event("initialized")
        answer(request)
    elif command == "setFunctionBreakpoints":
        answer(request, {"breakpoints": []})
    elif command == "configurationDone":
        # The stop before the answer.
        event("stopped", {"reason": "breakpoint", "threadId": None, "hitBreakpointIds": None})
        answer(request)
    elif command == "stackTrace":
        frame = {"name": "f" * 10_000, "line": -7, "source": {"path": "/work/" + "d/" * 5_000 + "a.c"}}
        answer(request, {"stackFrames": [dict(frame, id=at) for at in range(many)]})
    elif command == "scopes":
        answer(request, {"scopes": [{"name": "Locals", "variablesReference": 1}] * 50})
    elif command == "variables":
        # Everything holds itself, and much of it.
        inside = {"name": "v", "value": "0x1 size=1000000", "type": "t" * 10_000, "variablesReference": 1}
        answer(request, {"variables": [inside] * many})
    elif command == "threads":
        answer(request, {"threads": [{"id": at, "name": "t" * 10_000} for at in range(20 * many)]})
    elif command == "evaluate":
        answer(request, None, False, message=None)
    elif command == "continue" and way == "dies":
        raw(b"Content-Length: 100\r\n\r\n{")
        sys.exit(1)
    elif command == "disconnect" and way == "stays":
        while True:
            time.sleep(600)
    elif command == "continue" and way == "speaks on":
        answer(request)
        raw(b"this is no message\r\n\r\n")
    else:
        answer(request)
