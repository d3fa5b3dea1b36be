// expect: panic | 5 | null
package main
type node struct{ value int }
func get(n *node) int {
	return n.value
}
func main() { println(get(nil)) }
