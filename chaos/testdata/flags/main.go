// Command flags prints the command-line flags of a program that imports package chaos.
package main

import (
	"flag"
	"fmt"

	"github.com/rouse-go/rouse/chaos"
)

var _ = chaos.Points

func main() {
	flag.VisitAll(func(f *flag.Flag) { fmt.Println(f.Name) })
}
