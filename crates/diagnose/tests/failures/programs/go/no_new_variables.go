// expect: no-new-variables | 5 | name
package main
func main() {
	a := 1
	a := 2
	println(a)
}
