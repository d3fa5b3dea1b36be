package main

import "fmt"

func total(count int, prices []int) int {
	sum := 0
	for _, price := range prices {
		sum += price / count
	}
	return sum
}

func main() {
	fmt.Println("open")
	for count := 3; count >= 0; count-- {
		fmt.Println(total(count, []int{6, 12}))
	}
}
