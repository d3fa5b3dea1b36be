// expect: panic | 5 | raised
package main
func check(age int) {
	if age < 0 {
		panic("negative age")
	}
}
func main() { check(-1) }
