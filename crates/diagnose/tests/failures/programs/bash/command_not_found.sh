# expect: command-not-found | 3 | environment
echo start
frobnicate --now
