# expect: no-such-file | 3 | io
set -e
source ./settings.sh
