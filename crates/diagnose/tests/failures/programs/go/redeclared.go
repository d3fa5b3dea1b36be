// expect: redeclared | 4 | name
package main
func helper() {}
func helper() {}
func main() {}
