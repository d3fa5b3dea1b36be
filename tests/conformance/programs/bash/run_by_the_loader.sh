# A file without permission to execute runs by way of the loader; what runs is confined all the same.
cp /bin/cat ./reader && chmod 600 ./reader
for loader in /lib64/ld-linux-x86-64.so.2 /lib/ld-linux-aarch64.so.1; do
  [ -e "$loader" ] || continue
  if "$loader" ./reader "$FLAG"; then echo "WORKED by the loader"; else echo "REFUSED the flag"; fi
done
