// Command flags prints the command-line flags of a service that imports package remote.
package main

import (
	"flag"
	"fmt"

	"github.com/rouse-go/rouse/chaos/remote"
)

var _ = remote.Enable

func main() {
	flag.VisitAll(func(f *flag.Flag) { fmt.Println(f.Name) })
}
