# expect: command-not-found | 3 | environment
set -e
name = "ann"
echo "$name"
