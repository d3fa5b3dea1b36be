// expect: panic | 6 | index
package main
func main() {
	values := []int{1, 2, 3}
	for i := 0; i <= len(values); i++ {
		println(values[i])
	}
}
