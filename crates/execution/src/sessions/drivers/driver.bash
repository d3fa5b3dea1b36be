# Sent to an interactive Bash on descriptor 0, line by line; each cell follows as two lines, the cell and its answer.
# Only an interactive shell comes back to its next line after an interrupt, with everything that it knows. What the
# shell itself says (prompts) is dropped; cells write to the descriptors that were kept. A shell that leaves by `exit`
# or `set -e` writes down what it knows for the next one, which says so in its first answer.
PS1= PS2= PS4='+ '; unset PROMPT_COMMAND HISTFILE; set +o history; set +H; set +m
eval "exec 97>&$FORMICARY_REPLY_FD $FORMICARY_REPLY_FD>&-"; unset FORMICARY_REPLY_FD
exec 98>&1 99>&2 1>/dev/null 2>/dev/null
__formicary_say() { printf '\x1f\0\0\0{"exit":%3d,"count":%10d}' "$1" "$2" >&97; }
__formicary_leave() { { declare -p; declare -f; alias -p; shopt -p; printf 'cd -- %q\n' "$PWD"; set +o; } >/tmp/.formicary-shell 2>/dev/null; }
__formicary_return() { rm -f /tmp/.formicary-shell; trap __formicary_leave EXIT; set +o history +o histexpand +o monitor; __formicary_say "$1" 0; }
readonly -f __formicary_say __formicary_leave __formicary_return
if [ -f /tmp/.formicary-shell ]; then source /tmp/.formicary-shell; __formicary_return 1; else __formicary_return 0; fi
