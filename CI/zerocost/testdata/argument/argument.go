// Package argument computes an argument that only hooks want.
package argument

import (
	"fmt"

	"github.com/rouse-go/rouse/hooks"
)

// Start names a worker in the normal build, too.
func Start(i int) {
	hooks.Name(fmt.Sprint("worker ", i))
}

// Stop does nothing wrong.
func Stop(i int) string { return fmt.Sprint("stop ", i) }
