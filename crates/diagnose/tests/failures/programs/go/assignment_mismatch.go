// expect: assignment-mismatch | 5 | type
package main
import "strconv"
func main() {
	n := strconv.Atoi("3")
	println(n)
}
