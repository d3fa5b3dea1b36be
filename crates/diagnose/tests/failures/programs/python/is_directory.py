# expect: IsADirectoryError | 2 | io
open("/tmp").read()
