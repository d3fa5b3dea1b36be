// expect: mismatched-types | 5 | type
package main
func main() {
	a, b := 1, 2.5
	println(a + b)
}
