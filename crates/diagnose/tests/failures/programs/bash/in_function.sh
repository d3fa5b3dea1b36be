# expect: command-not-found | 4 | environment
set -e
load() {
  fetch_it "$1"
}
load x
