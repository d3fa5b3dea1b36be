// expect: panic | 7 | value
package main
import "strconv"
func main() {
	_, err := strconv.Atoi("12a")
	if err != nil {
		panic(err)
	}
}
