// expect: syntax-error | 7 | syntax
package main
func main() {
	if true {
		println(1)
	}
	else {
		println(2)
	}
}
