// expect: fatal error | 7 | concurrency
package main
import "sync"
func main() {
	var group sync.WaitGroup
	group.Add(1)
	group.Wait()
}
