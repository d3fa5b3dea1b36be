// expect: type-mismatch | 6 | type
package main
type shape interface{ area() int }
type dot struct{}
func main() {
	var s shape = dot{}
	_ = s
}
