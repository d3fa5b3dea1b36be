// expect: missing-return | 7 | compile
package main
func sign(n int) int {
	if n > 0 {
		return 1
	}
}
func main() { sign(1) }
