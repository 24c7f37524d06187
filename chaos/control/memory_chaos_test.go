//go:build chaos

package control

import (
	"flag"
	"os"
	"runtime"
	"runtime/debug"
	"runtime/metrics"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/rouse-go/rouse/chaos/strategy"
	"github.com/rouse-go/rouse/internal/racing"
)

var manyExecutions = flag.Int("executions", 20_000, "executions of TestExecutionsLeaveNothingBehind")

// Executions leave nothing behind: after ten times as many there are as many
// goroutines, and as much on the heap, give or take a tenth and a megabyte. So is what
// is resident, but only from 10,000 executions on: the stacks are slower to settle, and
// the race detector's memory never does. doc.go has the figures.
func TestExecutionsLeaveNothingBehind(t *testing.T) {
	many := *manyExecutions
	if racing.Detector {
		many /= 20
	}
	few := min(many/10, 10_000)
	settled := few == 10_000 && !racing.Detector
	bySwitch(t, func(t *testing.T, how Switch) {
		for _, s := range []strategy.Strategy{strategy.Random(), strategy.Portfolio()} {
			e := start(t, Options{Switch: how, Strategy: s, Plan: everyFault})
			n := 0
			run := func(most int) (goroutines int, used, resident uint64) {
				for ; n < most; n++ {
					e.Run(uint64(n), everything)
				}
				runtime.GC() // twice: what a pool has let go is free after the second
				debug.FreeOSMemory()
				var m runtime.MemStats
				runtime.ReadMemStats(&m)
				return runtime.NumGoroutine(), m.HeapAlloc, residentBytes(t)
			}
			g, u, r := run(few)
			g2, u2, r2 := run(many)
			for tries := 0; g2 > g+1 && tries < 10_000; tries++ { // what has ended may have yet to leave
				time.Sleep(time.Millisecond)
				g2 = runtime.NumGoroutine()
			}
			more := func(a, b uint64) bool { return b > a+a/10+1<<20 }
			if g2 > g+1 || more(u, u2) || settled && more(r, r2) {
				t.Errorf("%s: %d goroutines, %d bytes on the heap and %d resident after %d executions, %d, %d and %d after %d", s.Name(), g, u, r, few, g2, u2, r2, many)
			}
			t.Logf("%s: after %d executions %d goroutines, %d KiB on the heap, %d KiB resident; after %d %d, %d KiB, %d KiB",
				s.Name(), few, g, u>>10, r>>10, many, g2, u2>>10, r2>>10)
			e.Close()
		}
	})
}

// residentBytes is the resident set of the process: as the system counts it on Linux,
// and elsewhere what the runtime has and has not given back.
func residentBytes(t *testing.T) uint64 {
	t.Helper()
	if text, err := os.ReadFile("/proc/self/statm"); err == nil {
		if fields := strings.Fields(string(text)); len(fields) > 1 {
			pages, err := strconv.ParseUint(fields[1], 10, 64)
			if err != nil {
				t.Fatal(err)
			}
			return pages * uint64(os.Getpagesize())
		}
	}
	sample := []metrics.Sample{{Name: "/memory/classes/total:bytes"}, {Name: "/memory/classes/heap/released:bytes"}}
	metrics.Read(sample)
	return sample[0].Value.Uint64() - sample[1].Value.Uint64()
}
