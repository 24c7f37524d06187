package example

import (
	"io"
	"testing"

	"github.com/go-pkgz/syncs"
)

// After an error, further functions are dropped, and Wait ends.
func TestTermOnErr(t *testing.T) {
	group := syncs.NewErrSizedGroup(1, syncs.Preemptive, syncs.TermOnErr)
	for range 3 {
		group.Go(func() error { return io.EOF })
	}
	group.Wait()
}
