// expect: type-mismatch | 4 | type
package main
func main() {
	var small int8 = 300
	println(small)
}
