// expect: panic | 6 | raised
package main
import "time"
func main() {
	go func() {
		panic("in the background")
	}()
	time.Sleep(time.Second)
}
