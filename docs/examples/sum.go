package main

import "fmt"

func main() {
	total, n := 0, 0
	for {
		if _, err := fmt.Scan(&n); err != nil {
			break
		}
		total += n
	}
	fmt.Println(total)
}
