// expect: ExitCode | - | other
process.exit(4);
