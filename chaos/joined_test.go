package chaos_test

import (
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/rouse-go/rouse/chaos"
	"github.com/rouse-go/rouse/chaos/control"
	"github.com/rouse-go/rouse/chaos/verdict"
	"github.com/rouse-go/rouse/internal/faketest"
)

// A stressed test is one that stress test runs, with a fake of its engine.
type stressed struct {
	*faketest.Test
	failures []string
	judge    func(verdict, summary string) (string, string)
	armed    string
	visits   []string
	without  string // a function that is missing
	until    string // of the holds at chaos-test/gap
	quiet    int32
	turns    []bool // begun and ended: alone?
	idle     bool   // stress test has not started the process
}

func (s *stressed) RouseControl() map[string]any {
	if s.idle {
		return nil
	}
	all := map[string]any{
		"choose": func(n int) int { return n - 1 },
		"fail": func(verdict, summary, detail string) {
			first, _, _ := strings.Cut(detail, "\n")
			s.failures = append(s.failures, verdict+": "+summary+" "+first)
		},
		"quiet": func(by int32) { s.quiet += by },
		"name":  func(string) {},
		"turn": func(task string, alone bool) func() {
			if task != "main/0" || len(s.turns)%2 > 0 {
				return nil
			}
			s.turns = append(s.turns, alone)
			return func() { s.turns = append(s.turns, alone) }
		},
		"task":  func() string { return "main/0" },
		"stuck": func(judge func(verdict, summary string) (string, string)) { s.judge = judge },
		"arm":   func(plan []byte) error { s.armed = string(plan); return nil },
		"visit": func(point string, can uint16, value uint64) (delay int64, until string, limit int64, yield bool, copies int, failed bool, result uint64) {
			if s.until != "" {
				until = map[bool]string{true: s.until}[point != s.until]
				return 0, until, int64(time.Hour), false, 1, false, value
			}
			s.visits = append(s.visits, point)
			return 1, "", 0, true, 0, true, value + 1
		},
	}
	delete(all, s.without)
	return all
}

// exploreStressed runs Explore in such a test.
func exploreStressed(t *testing.T, s *stressed, f func(c *chaos.C), options ...chaos.Option) {
	t.Helper()
	s.Test = faketest.Run("Test", func(r *faketest.Test) {
		s.Test = r
		chaos.Explore(s, f, options...)
	})
}

// Under stress test the body runs once in each execution, and what it asks goes to the engine.
func TestJoined(t *testing.T) {
	s, runs, tasks := new(stressed), 0, make(chan int, 2)
	exploreStressed(t, s, func(c *chaos.C) {
		runs++
		c.OnStuck(func(stuck control.Result) (verdict.Verdict, string) {
			return verdict.LostTask, string(stuck.Verdict) + " of " + stuck.Summary
		})
		for i := range 2 {
			c.Go(func() { tasks <- i })
		}
		if n := c.Choose(3); n != 2 {
			t.Errorf("chose %d", n)
		}
	})
	if s.quiet != 0 || s.Failed() || runs != 1 || len(tasks) != 2 || len(s.failures) > 0 {
		t.Errorf("failed: %v (%s), %d runs, %d tasks, %q", s.Failed(), s.Log, runs, len(tasks), s.failures)
	}
	if v, summary := s.judge("deadlock", "all"); v != "lost-task" || summary != "deadlock of all" {
		t.Errorf("judged %s: %s", v, summary)
	}
}

func TestJoinedFails(t *testing.T) {
	s, cleanups := new(stressed), 0
	exploreStressed(t, s, func(c *chaos.C) {
		c.Cleanup(func() { cleanups++ })
		c.Errorf("it was %d", 1)
		panic("and then")
	})
	if want := []string{"wrong-result: it was 1 ", "panic: panic: and then goroutine "}; len(s.failures) != 2 ||
		s.failures[0] != want[0] || !strings.HasPrefix(s.failures[1], want[1]) || cleanups != 1 {
		t.Errorf("%q, %d cleanups; want %q, 1", s.failures, cleanups, want)
	}
}

func TestJoinedLeavesOut(t *testing.T) {
	for want, option := range map[string]chaos.Option{
		"x.rouse is not repeated under stress test":   nil,
		"memory views is not explored under stress":   chaos.WithMemory(control.Views),
		"this stress is of another version of rouse:": nil,
	} {
		s, runs := new(stressed), 0
		body := func(*chaos.C) { runs++ }
		switch {
		case option != nil:
			exploreStressed(t, s, body, option)
		case strings.HasPrefix(want, "x.rouse"):
			s.Test = faketest.Run("Test", func(r *faketest.Test) { s.Test = r; chaos.Replay(s, "x.rouse", body) })
		default:
			s.without = "visit"
			exploreStressed(t, s, body)
		}
		if !strings.Contains(s.Log, want) || runs != map[bool]int{true: 1}[option != nil] {
			t.Errorf("%d runs, logged %s; want %s", runs, s.Log, want)
		}
	}
	idle := &stressed{idle: true}
	exploreStressed(t, idle, func(c *chaos.C) {
		if slices.Contains([]int{1, 2}, c.Choose(1)) {
			c.Errorf("chose")
		}
	}, chaos.WithExecutions(1))
	if idle.Failed() {
		t.Error(idle.Log)
	}
}
