# A file with a setuid bit on a writable mount would outlive the sandbox, and belong to whoever owns the mount.
umask 022
echo made >/shared/made
cp /bin/true /shared/tool && chmod 4755 /shared/tool
install -m 6755 /bin/true /shared/installed
python3 -c 'import os; os.close(os.open("/shared/opened", os.O_CREAT | os.O_WRONLY, 0o4755))'
python3 -c 'import os; os.mknod("/shared/node", 0o104755)'
python3 -c 'import os; fd = os.open("/shared/fd", os.O_CREAT | os.O_WRONLY, 0o755); os.fchmod(fd, 0o6755)'
true
