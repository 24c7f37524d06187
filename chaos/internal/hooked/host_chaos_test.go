//go:build chaos

package hooked

import (
	"runtime"
	"strings"
	"testing"
)

// Catches: a task's goroutine that is taken for one outside until it has begun to run.
func TestHostsThatHaveNotBegun(t *testing.T) {
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(1)) // it begins when this goroutine waits
	e := &Tasks{mechanism: channels{}}
	begun := e.MakeTask()
	e.startOwnHost(begun)
	hosts := 0
	for _, g := range allGoroutines() {
		if strings.HasSuffix(g.creator, ".startOwnHost") {
			if hosts++; !g.isHost() {
				t.Errorf("no host:\n%s", g)
			}
		}
	}
	if hosts == 0 {
		t.Error("it was not found")
	}
	of(begun).host.dying = true
	e.mechanism.release(of(begun).host)
}
