// expect: fatal error | 4 | recursion
package main
import "runtime/debug"
func down(n int) int {
	return down(n+1) + 1
}
func main() {
	debug.SetMaxStack(1 << 20)
	println(down(1))
}
