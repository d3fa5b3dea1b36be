# Leaves whatever can be left: processes, files, pipes, sockets, locked folders.
sleep 100 &
(setsid sleep 100 &) &
mkfifo pipe; (cat pipe &) ; cat < pipe > /dev/null 2>&1 &
mkdir -p locked/deep; echo x > locked/deep/file; chmod 000 locked/deep locked
echo x > /tmp/left; echo x > /dev/shm/left; echo kept > out.txt
exit 0
