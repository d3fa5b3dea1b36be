// expect: no-field-or-method | 6 | attribute
package main
type box struct{ value int }
func main() {
	b := box{1}
	println(b.size)
}
