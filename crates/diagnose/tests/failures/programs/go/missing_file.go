// expect: panic | 6 | io
package main
import "os"
func main() {
	if _, err := os.Open("nothing.txt"); err != nil {
		panic(err)
	}
}
