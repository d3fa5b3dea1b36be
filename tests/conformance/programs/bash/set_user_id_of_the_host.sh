# The host's own programs with the set-user-ID bit give nothing here.
found=0
for program in /usr/bin/su /usr/bin/sudo /usr/bin/passwd /usr/bin/mount /usr/bin/newgrp /usr/bin/chsh /usr/bin/pkexec; do
  [ -u "$program" ] || continue
  found=$((found + 1))
done
before=$(grep '^Cap' /proc/self/status)
id=$(su -c 'id -u' </dev/null 2>/dev/null || true)
[ "$id" = 0 ] && echo "WORKED su"
out=$(mount -t tmpfs none /tmp 2>&1) && echo "WORKED mount"
echo "REFUSED $found programs with the bit: $out"
