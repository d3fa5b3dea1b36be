// expect: panic | 5 | null
package main
func main() {
	var ages map[string]int
	ages["ann"] = 3
}
