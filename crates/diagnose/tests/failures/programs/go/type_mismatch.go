// expect: type-mismatch | 4 | type
package main
func main() {
	var count int = "three"
	_ = count
}
