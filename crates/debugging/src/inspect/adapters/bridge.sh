# bridge.sh WORDS ADAPTER…: carries what an adapter speaks over a port to the standard streams, byte by byte. It runs inside the
# sandbox, whose only network is its own loopback. The adapter's streams, which are also the program's, become stderr.
words=$1
shift
mkfifo formicary-output || exit 1
exec 6<>formicary-output
"$@" <formicary-stdin >&6 2>&1 6>&- &
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
cat <&6 >&2 5>&- &
# When the adapter is gone, so is everything.
{
    cat <&5
    kill -9 $$
} 6>&- &
exec cat >&5 6>&-
