// expect: panic | 6 | concurrency
package main
func main() {
	numbers := make(chan int, 1)
	close(numbers)
	numbers <- 1
}
