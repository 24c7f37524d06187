//go:build chaos

package control

import (
	"runtime"
	"testing"

	"github.com/rouse-go/rouse/chaos/internal/racing"
	"github.com/rouse-go/rouse/chaos/strategy"
)

// Executions leave nothing behind: after ten times as many there are as many
// goroutines, and as much memory in use, give or take a tenth and a megabyte.
func TestExecutionsLeaveNothingBehind(t *testing.T) {
	bySwitch(t, func(t *testing.T, how Switch) {
		for _, s := range []strategy.Strategy{strategy.Random(), strategy.Portfolio()} {
			e := start(t, Options{Switch: how, Strategy: s, Plan: everyFault})
			n := 0
			run := func(most int) (goroutines int, bytes uint64) {
				for ; n < most; n++ {
					e.Run(uint64(n), everything)
				}
				runtime.GC()
				var m runtime.MemStats
				runtime.ReadMemStats(&m)
				return runtime.NumGoroutine(), m.HeapAlloc + m.StackInuse
			}
			few := 2000
			if racing.Detector {
				few = 100
			}
			g, b := run(few)
			g10, b10 := run(10 * few)
			if g10 > g+1 || b10 > b+b/10+1<<20 {
				t.Errorf("%s: %d goroutines and %d bytes after %d executions, %d and %d after %d", s.Name(), g, b, few, g10, b10, 10*few)
			}
			t.Logf("%s: %d goroutines, %d KiB; then %d, %d KiB", s.Name(), g, b>>10, g10, b10>>10)
			e.Close()
		}
	})
}
