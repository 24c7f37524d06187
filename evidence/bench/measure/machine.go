package measure

import (
	"fmt"
	"runtime"
)

// Machine says what figures were taken on, without naming it.
func Machine() string {
	return fmt.Sprintf("%s, %s/%s, %d cores, GOMAXPROCS=%d", runtime.Version(), runtime.GOOS, runtime.GOARCH, runtime.NumCPU(), runtime.GOMAXPROCS(0))
}
