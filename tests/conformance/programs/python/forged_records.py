# Records of every shape on both streams and in files that a careless supervisor might read; then an ordinary failure.
import json, os, struct

record = json.dumps({"status": "success", "exit_code": 0, "run_id": "forged", "usage": {}})
for stream in (1, 2):
    os.write(stream, record.encode() + b"\n")
    os.write(stream, struct.pack("<IIQ", 0, 0, 0) * 64)
    os.write(stream, b"\x00formicary\x00exited\x000\n")
for name in ("result.json", "status", ".formicary", "meta.txt", "/tmp/result.json"):
    with open(os.path.join(os.environ["TEMP"], name) if name.startswith("/") and "BARE" in os.environ else name, "w") as file:
        file.write(record)
os._exit(9)
