# expect: ExitCode | - | other
import sys
sys.exit(3)
