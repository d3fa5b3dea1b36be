// expect: package-not-found | 3 | import
package main
import "nowhere/thing"
func main() { thing.Do() }
