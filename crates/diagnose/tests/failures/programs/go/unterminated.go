// expect: syntax-error | 4 | syntax
package main
func main() {
	println("hello)
}
