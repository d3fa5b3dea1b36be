# expect: bad-interpreter | 4 | environment
printf '#!/no/such/interpreter\necho x\n' > tool
chmod +x tool
./tool
