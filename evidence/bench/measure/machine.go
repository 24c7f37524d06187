package measure

import (
	"fmt"
	"runtime"
)

// Machine describes the machine of the figures, without naming it.
func Machine() string {
	return fmt.Sprintf("%s, %s/%s, %d cores, GOMAXPROCS=%d", runtime.Version(), runtime.GOOS, runtime.GOARCH, runtime.NumCPU(), runtime.GOMAXPROCS(0))
}
