# expect: MemoryLimit | - | resource | memory=64
values = []
while True:
    values.append(bytearray(1024 * 1024))
