# expect: ExitCode | - | other
exit 3
