// expect: panic | 5 | type
package main
func main() {
	var value interface{} = "text"
	println(value.(int))
}
