# expect: is-a-directory | 3 | io
set -e
echo x > /tmp
