package campaign

import (
	"errors"
	"os"

	"github.com/rouse-go/rouse/internal/private"
)

// lockFolder keeps other campaigns from writing their journal there, until unlock is called or the
// process has ended. On a system or a file system without such locks it has no effect.
func lockFolder(dir string) (unlock func(), err error) {
	f, err := os.Open(dir)
	if err != nil {
		return nil, err
	}
	if err := private.Lock(f); errors.Is(err, private.ErrHeld) {
		f.Close() //nolint:errcheck // nothing was written
		return nil, errLocked
	}
	return func() { f.Close() }, nil //nolint:errcheck // likewise
}
