// expect: syntax-error | 6 | syntax
package main
func main() {
	if true {
		println(1)
}
