// expect: panic | 4 | index
package main
func cut(text string, n int) string {
	return text[:n]
}
func main() { println(cut("abc", 5)) }
