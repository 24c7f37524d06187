package explore

import (
	"fmt"

	"github.com/rouse-go/rouse/internal/evidence"
)

// Explored describes the result of a strategy that has nothing left to explore. bounded is what it has
// left out, as strategy.Bounded returns it.
func Explored(name string, executions int, bounded string) string {
	if bounded == "" {
		return fmt.Sprintf("%s has explored all there is: %s", name, evidence.Counted(executions, "execution"))
	}
	return fmt.Sprintf("%s has nothing left to explore after %s, which is not all there is; bounded: %s", name, evidence.Counted(executions, "execution"), bounded)
}
