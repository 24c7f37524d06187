//go:build chaos

package rouse_test

import (
	"os/exec"
	"regexp"
	"strings"
	"testing"

	"github.com/rouse-go/rouse/chaos"
	"github.com/rouse-go/rouse/hooks/sync"
	"github.com/rouse-go/rouse/sleep"
)

// Catches, with the race detector: a waiter of a LockLatch that writes what another one, which was
// woken, reads without the lock. See evidence/track-stories.md.
func TestLockLatchWaiters(t *testing.T) {
	chaos.Explore(t, func(c *chaos.C) {
		var latch sleep.LockLatch
		var wg sync.WaitGroup
		for range 2 {
			wg.Go(latch.Wait)
		}
		latch.Set()
		wg.Wait()
		if !latch.Probe() {
			c.Errorf("the latch is not set")
		}
	})
}

// racyTest has a data race in a schedule that is not the first.
const racyTest = `package mailbox

import (
	"testing"

	"github.com/rouse-go/rouse/chaos"
	"github.com/rouse-go/rouse/hooks/atomic"
	"github.com/rouse-go/rouse/hooks/sync"
)

func TestRacy(t *testing.T) {
	chaos.Explore(t, func(c *chaos.C) {
		var wg sync.WaitGroup
		var ready atomic.Bool
		value := 0
		wg.Add(1)
		c.Go(func() {
			defer wg.Done()
			ready.Store(true)
			value = 1
		})
		if ready.Load() {
			value = 2
		}
		wg.Wait()
		if value > 2 {
			c.Errorf("%d", value)
		}
	})
}
`

// TestReplayOfADataRace: what was found under -race prints a command that finds it again,
// and that fails without -race.
func TestReplayOfADataRace(t *testing.T) {
	t.Parallel()
	dir := exampleModule(t, map[string]string{"mailbox_test.go": racyTest})
	out, err := goTest(dir, "-race", "-tags", "chaos,slow", ".")
	if err == nil || !strings.Contains(out, "data-race in execution ") {
		t.Fatalf("%v: %s", err, out)
	}
	command := regexp.MustCompile(`(?m)^ *reproduce: (go test .*)$`).FindStringSubmatch(out)
	if command == nil || !strings.Contains(command[1], "go test -tags chaos,slow -race") {
		t.Fatalf("no command with -race in %s", out)
	}
	run := func(command string) (string, error) {
		c := exec.Command("sh", "-c", command)
		c.Dir = dir
		out, err := c.CombinedOutput()
		return string(out), err
	}
	if out, err := run(command[1]); err == nil || !strings.Contains(out, "data-race again, as recorded in ") || !strings.Contains(out, "by the recorded trace") {
		t.Errorf("%s: %v: %s", command[1], err, out)
	}
	if out, err := run(strings.Replace(command[1], " -race", "", 1)); err == nil || !strings.Contains(out, "this binary has no race detector: add -race") {
		t.Errorf("without -race: %v: %s", err, out)
	}
	if out, err := goTest(dir, "-tags", "chaos", "-v", "."); err != nil || !strings.Contains(out, "not repeated: ") {
		t.Errorf("a test without -race fails by a recording with it, or does not say what it leaves out: %v: %s", err, out)
	}
	if out, err := run(strings.Replace(command[1], "chaos,slow", "slow", 1)); err == nil || !strings.Contains(out, "needs a binary built with -tags chaos") {
		t.Errorf("without the tag: %v: %s", err, out)
	}
}
