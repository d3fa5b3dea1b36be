# Text of one to four bytes a character, written one byte at a time.
import os

for byte in ("aé漢🐜" * 500).encode():
    os.write(1, bytes([byte]))
