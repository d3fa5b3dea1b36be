# expect: ExitCode | - | other
grep -q nothing /dev/null
