// expect: undefined | 6 | name
package main
func main() {
	count := 1
	_ = count
	println(cuont)
}
