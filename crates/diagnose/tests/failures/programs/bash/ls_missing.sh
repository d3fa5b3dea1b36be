# expect: no-such-file | 2 | io
ls /nowhere/at/all
