# bridge.sh WORDS ADAPTER…: carries what an adapter speaks over a port to the standard streams, byte by byte. It runs inside the
# sandbox, whose only network is its own loopback. The adapter's streams, which are also the program's, become stderr.
words=$1
shift
mkfifo formicary-output || exit 1
exec 3<&0 6<>formicary-output
"$@" <formicary-stdin >&6 2>&1 3<&- 6>&- &
port=
while read -r -t 60 said <&6; do
    case $said in
    *"$words"*)
        port=${said##*:}
        break
        ;;
    esac
    printf '%s\n' "$said" >&2
done
[ -n "$port" ] || exit 1
exec 5<>"/dev/tcp/127.0.0.1/$port" || exit 1
trap 'exit 0' TERM
cat <&6 >&2 3<&- 5>&- &
# When the adapter is gone, or nobody gives orders any more, everything is over.
{
    cat <&5
    kill -TERM $$
} 3<&- 6>&- &
cat <&3 >&5 6>&- &
wait $!
exit 0
