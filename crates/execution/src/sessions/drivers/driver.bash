# Sent to an interactive Bash on descriptor 0, line by line; each cell follows as two lines, the cell and its answer.
# Only an interactive shell comes back to its next line after an interrupt, with everything that it knows. What the
# shell itself says (prompts) is dropped; cells write to the descriptors that were kept.
PS1= PS2= PS4='+ '; unset PROMPT_COMMAND HISTFILE; set +o history; set +H; set +m
eval "exec 97>&$FORMICARY_REPLY_FD $FORMICARY_REPLY_FD>&-"; unset FORMICARY_REPLY_FD
exec 98>&1 99>&2 1>/dev/null 2>/dev/null
__formicary_say() { printf '\x0c\0\0\0{"exit":%3d}' "$1" >&97; }
readonly -f __formicary_say
__formicary_say 0
