// expect: panic | 4 | arithmetic
package main
func divide(a, b int) int {
	return a / b
}
func main() { println(divide(1, 0)) }
