# A read-only mount refuses every change; a writable one takes it.
[ "$(cat /read/file)" = before ] || exit 1
echo changed > /read/file && exit 2
touch /read/new && exit 3
rm /read/file && exit 4
chmod 600 /read/file && exit 5
echo after > /write/file || exit 6
exit 0
