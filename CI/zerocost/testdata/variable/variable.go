// Package variable has a local variable that only hooks want.
package variable

import (
	"fmt"

	"github.com/rouse-go/rouse/hooks"
)

// Start names a worker, and computes the name in the normal build.
func Start(i int) {
	name := fmt.Sprint("worker ", i)
	if hooks.Enabled {
		hooks.Name(name)
	}
}
