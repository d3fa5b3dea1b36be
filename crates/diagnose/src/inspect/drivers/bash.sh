# Runs a Bash program with a trap before every command and obeys orders: one JSON object a line, in (3) and out (4).
# Everything here begins with __fi, so that it does not meet the program's own names.
__fi_entry=$1; shift
__fi_own=$BASH_SOURCE
declare -A __fi_points=() __fi_logs=() __fi_functions=()
__fi_mode=continue __fi_depth=0 __fi_before=" $(compgen -v | tr '\n' ' ') "

__fi_quote() { # TEXT: as JSON, in __fi_quoted
    local __fi_text=${1:0:600}
    __fi_text=${__fi_text//\\/\\\\}; __fi_text=${__fi_text//\"/\\\"}; __fi_text=${__fi_text//$'\n'/\\n}; __fi_text=${__fi_text//$'\t'/\\t}; __fi_text=${__fi_text//$'\r'/\\r}
    __fi_quoted="\"${__fi_text//[[:cntrl:]]/?}\""
}

__fi_say() { printf '%s\n' "$1" >&4; }

__fi_part() { # NAME: a text or number of the order, in __fi_value
    __fi_value=
    if [[ $__fi_order =~ \"$1\":\ *\"(([^\"\\]|\\.)*)\" ]]; then
        __fi_value=${BASH_REMATCH[1]//\\\"/\"}; __fi_value=${__fi_value//\\\\/\\}
    elif [[ $__fi_order =~ \"$1\":\ *(-?[0-9]+) ]]; then
        __fi_value=${BASH_REMATCH[1]}
    fi
}

__fi_variables() {
    local __fi_name __fi_parts= __fi_count=0 __fi_kind
    while read -r __fi_name; do
        [[ $__fi_before == *" $__fi_name "* || $__fi_name == __fi* || $__fi_name == BASH_* || $__fi_name == FUNCNAME || $__fi_name == _ || $__fi_name == LINENO || $__fi_name == RANDOM || $__fi_name == SECONDS || $__fi_name == EPOCH* || $__fi_name == PIPESTATUS || $__fi_name == SRANDOM ]] && continue
        [ $((__fi_count++)) -ge 40 ] && break
        __fi_kind=$(declare -p "$__fi_name" 2>/dev/null) || continue
        local __fi_text=${__fi_kind#*=}
        [[ $__fi_kind == *=* ]] || __fi_text=unset
        __fi_kind=${__fi_kind#declare }; __fi_kind=${__fi_kind%% *}
        [[ $__fi_kind == *a* ]] && __fi_kind=array || { [[ $__fi_kind == *A* ]] && __fi_kind=map || { [[ $__fi_kind == *i* ]] && __fi_kind=integer || __fi_kind=string; }; }
        __fi_quote "$__fi_name"; local __fi_key=$__fi_quoted; __fi_quote "$__fi_text"
        __fi_parts+=",{\"name\":$__fi_key,\"type\":\"$__fi_kind\",\"value\":$__fi_quoted}"
    done < <(compgen -v)
    __fi_shown="[${__fi_parts#,}]"
}

__fi_stop() { # REASON TEXT LINE, and the program's own arguments
    local __fi_frames= __fi_at __fi_file __fi_variables
    __fi_variables; __fi_variables=$__fi_shown
    for ((__fi_at = 2; __fi_at < ${#FUNCNAME[@]}; __fi_at++)); do
        __fi_file=${BASH_SOURCE[__fi_at]}
        [ "$__fi_file" = "$__fi_own" ] && break
        local __fi_line=$3
        [ $__fi_at = 2 ] || __fi_line=${BASH_LINENO[__fi_at - 1]}
        __fi_quote "${FUNCNAME[__fi_at]}"; local __fi_name=$__fi_quoted
        [ "${FUNCNAME[__fi_at]}" = source ] && __fi_name='"main"'
        __fi_quote "${__fi_file#./}"
        __fi_frames+=",{\"function\":$__fi_name,\"file\":$__fi_quoted,\"line\":$__fi_line,\"own\":true,\"variables\":$__fi_variables}"
        __fi_variables='[]'
    done
    __fi_quote "$2"
    __fi_say "{\"event\":\"stopped\",\"reason\":\"$1\",\"text\":$__fi_quoted,\"frames\":[${__fi_frames#,}]}"
    shift 3
    __fi_obey "$@"
}

__fi_obey() { # the program's arguments: expressions may use them
    local __fi_id __fi_do __fi_file __fi_line
    while IFS= read -r __fi_order <&3; do
        __fi_part id; __fi_id=${__fi_value:-0}
        __fi_part do; __fi_do=$__fi_value
        case $__fi_do in
            continue | next | step | out)
                __fi_mode=$__fi_do; __fi_depth=${#FUNCNAME[@]}
                __fi_say "{\"id\":$__fi_id,\"ok\":true}"
                return ;;
            quit) __fi_say "{\"id\":$__fi_id,\"ok\":true}"; kill -KILL $$ ;;
            catch) __fi_part what; __fi_raised=$__fi_value; __fi_say "{\"id\":$__fi_id,\"ok\":true}" ;;
            break)
                __fi_part function
                if [ -n "$__fi_value" ]; then
                    local __fi_wanted=$__fi_value
                    __fi_line=$(grep -nE "^[[:space:]]*(function[[:space:]]+)?$__fi_wanted[[:space:]]*(\(\))?[[:space:]]*\{?" "$__fi_entry" | head -n 1 | cut -d: -f1)
                    if [ -z "$__fi_line" ]; then
                        __fi_quote "no function $__fi_wanted in $__fi_entry"; __fi_say "{\"id\":$__fi_id,\"error\":$__fi_quoted}"; continue
                    fi
                    __fi_part condition; __fi_functions[$__fi_wanted]=${__fi_value:-true}
                    __fi_say "{\"id\":$__fi_id,\"ok\":true,\"line\":$__fi_line}"; continue
                fi
                __fi_part file; __fi_file=${__fi_value:-$__fi_entry}; __fi_part line; __fi_line=$__fi_value
                if [ ! -f "$__fi_file" ]; then
                    __fi_quote "no file $__fi_file in the program"; __fi_say "{\"id\":$__fi_id,\"error\":$__fi_quoted}"; continue
                elif [ "$__fi_line" -gt "$(wc -l <"$__fi_file")" ]; then
                    __fi_quote "$__fi_file has only $(wc -l <"$__fi_file") lines"; __fi_say "{\"id\":$__fi_id,\"error\":$__fi_quoted}"; continue
                fi
                __fi_part condition; __fi_points[${__fi_file#./}:$__fi_line]=${__fi_value:-true}
                __fi_part log; [ -z "$__fi_value" ] || __fi_logs[${__fi_file#./}:$__fi_line]=$__fi_value
                __fi_say "{\"id\":$__fi_id,\"ok\":true,\"line\":$__fi_line}" ;;
            evaluate)
                __fi_part expression
                local __fi_result
                if __fi_result=$(eval "printf %s \"$__fi_value\"" 2>&1); then
                    __fi_quote "$__fi_result"; __fi_say "{\"id\":$__fi_id,\"ok\":true,\"value\":$__fi_quoted,\"type\":\"string\"}"
                else
                    __fi_quote "$__fi_result"; __fi_say "{\"id\":$__fi_id,\"error\":$__fi_quoted}"
                fi ;;
            *) __fi_quote "unknown command $__fi_do"; __fi_say "{\"id\":$__fi_id,\"error\":$__fi_quoted}" ;;
        esac
    done
    [ -n "$__fi_order" ] || kill -KILL $$
}

__fi_hook() { # LINE, and the program's own arguments
    local __fi_at_line=$1; shift
    local __fi_file=${BASH_SOURCE[1]#./} __fi_name=${FUNCNAME[1]} __fi_condition
    [ "$__fi_file" = "$__fi_own" ] && return
    __fi_condition=${__fi_points[$__fi_file:$__fi_at_line]}
    if [ -z "$__fi_condition" ] && [ -n "${__fi_functions[$__fi_name]}" ] && [ "$__fi_last" != "$__fi_name:${#FUNCNAME[@]}" ]; then
        __fi_condition=${__fi_functions[$__fi_name]}
    fi
    __fi_last=$__fi_name:${#FUNCNAME[@]}
    if [ -n "$__fi_condition" ] && eval "$__fi_condition" >/dev/null 2>&1; then
        if [ -n "${__fi_logs[$__fi_file:$__fi_at_line]}" ]; then
            local __fi_text=${__fi_logs[$__fi_file:$__fi_at_line]}
            __fi_text=$(eval "printf %s \"$(sed 's/{\([^}]*\)}/${\1}/g' <<<"$__fi_text")\"" 2>&1)
            __fi_quote "$__fi_text"; __fi_say "{\"event\":\"log\",\"text\":$__fi_quoted}"
        else
            __fi_stop breakpoint '' "$__fi_at_line" "$@"
            return 0
        fi
    fi
    case $__fi_mode in
        step) __fi_stop step '' "$__fi_at_line" "$@" ;;
        next) [ ${#FUNCNAME[@]} -gt "$__fi_depth" ] || __fi_stop step '' "$__fi_at_line" "$@" ;;
        out) [ ${#FUNCNAME[@]} -ge "$__fi_depth" ] || __fi_stop step '' "$__fi_at_line" "$@" ;;
    esac
    return 0
}

__fi_failed() { # CODE LINE COMMAND
    [ "$__fi_raised" = raised ] || [[ $- == *e* ]] || return 0
    trap - DEBUG
    __fi_stop exception "exit code $1: $3" "$2"
    trap '__fi_hook "$LINENO" "$@"' DEBUG
}

__fi_end() { trap - DEBUG; __fi_say "{\"event\":\"exited\",\"code\":$1}"; }

__fi_say '{"event":"ready"}'
__fi_obey
set -o functrace -o errtrace
trap '__fi_end $?' EXIT
trap '__fi_failed "$?" "$LINENO" "$BASH_COMMAND"' ERR
trap '__fi_hook "$LINENO" "$@"' DEBUG
. "./$__fi_entry" "$@"
