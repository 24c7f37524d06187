package explore

import (
	"github.com/rouse-go/rouse/internal/evidence"
)

// Explored describes the result of a strategy that has nothing left to explore. bounded describes what
// it has left out, as returned by strategy.Bounded.
func Explored(name string, executions int, bounded string) string {
	if bounded == "" {
		return name + evidence.All + evidence.Counted(executions, "execution")
	}
	return name + evidence.Ended + evidence.Counted(executions, "execution") + ", which is not all there is; bounded: " + bounded
}
