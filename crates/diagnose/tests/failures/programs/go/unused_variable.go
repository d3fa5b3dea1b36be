// expect: unused-variable | 4 | compile
package main
func main() {
	count := 1
}
