// expect: wrong-arguments | 5 | type
package main
func add(a, b int) int { return a + b }
func main() {
	println(add(1))
}
