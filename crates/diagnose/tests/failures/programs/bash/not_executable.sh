# expect: permission-denied | 3 | permission
echo 'echo hi' > tool
./tool
