// expect: fatal error | 5 | concurrency
package main
func main() {
	numbers := make(chan int)
	numbers <- 1
}
