set -e
total() {
    local count=$1 sum=0 price
    for price in 6 12; do
        sum=$((sum + price / count))
    done
    echo "$sum"
}

echo open
for count in 3 2 1; do
    total "$count"
done
cat /no/such/file
