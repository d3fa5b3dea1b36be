// expect: wrong-arguments | 5 | type
package main
func twice(a int) int { return 2 * a }
func main() {
	println(twice(1, 2))
}
