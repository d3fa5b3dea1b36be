// expect: unused-result | 5 | compile
package main
func main() {
	a := 1
	a + 1
}
