# expect: UnicodeDecodeError | 2 | value
print(b"\xff\xfe".decode("utf-8"))
