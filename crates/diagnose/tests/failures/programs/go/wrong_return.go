// expect: wrong-return | 4 | type
package main
func f() int {
	return 1, 2
}
func main() { f() }
