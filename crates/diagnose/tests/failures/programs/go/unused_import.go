// expect: unused-import | 3 | import
package main
import "os"
func main() {}
