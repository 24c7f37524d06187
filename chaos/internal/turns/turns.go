package turns

import (
	"errors"
	"sync"

	"github.com/rouse-go/rouse/internal/seam"
)

// errNested is returned to a goroutine that runs inside an engine: the engine waits for
// that goroutine, so that the goroutine must not wait for the engine.
var errNested = errors.New("it is called inside an execution, which has the only engine of this process; return from that execution first")

var turn sync.Mutex

// Take blocks until no other caller has the turn, which release gives back. It does not
// wait for an engine that was installed without a turn.
func Take() (release func(), err error) {
	if e, ok := seam.Installed().(seam.Owner); ok && e.Owns() {
		return nil, errNested
	}
	turn.Lock()
	return turn.Unlock, nil
}
