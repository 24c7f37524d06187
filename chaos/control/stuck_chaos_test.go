//go:build chaos

package control

import (
	"strings"
	"testing"

	"github.com/rouse-go/rouse/chaos/verdict"
	"github.com/rouse-go/rouse/hooks/atomic"
	"github.com/rouse-go/rouse/hooks/sync"
)

// The judge sees the subject as it is when no task can continue, plain variables too, and
// before deferred calls change it; what it says is the execution's verdict, also when
// that is repeated.
func TestJudgeOfAStuckExecution(t *testing.T) {
	bySwitch(t, func(t *testing.T, how Switch) {
		for _, c := range []struct {
			without verdict.Verdict
			left    int
			body    func(waits *int)
		}{
			{verdict.Deadlock, 2, func(waits *int) {
				var mu sync.Mutex
				mu.Lock()
				tasks(func() {
					*waits = 1
					defer func() { *waits = 0 }()
					mu.Lock()
				})
				mu.Lock()
			}},
			{verdict.Leak, 1, func(waits *int) {
				var mu sync.Mutex
				mu.Lock()
				tasks(func() {
					*waits = 1
					defer func() { *waits = 0 }()
					mu.Lock()
				})
			}},
			{verdict.Livelock, 1, func(waits *int) {
				var x atomic.Bool
				*waits = 1
				defer func() { *waits = 0 }()
				for !x.Load() {
				}
			}},
		} {
			t.Run(string(c.without), func(t *testing.T) {
				e := start(t, Options{Switch: how})
				var mu sync.Mutex // a drop-in that the judge uses
				asked := 0
				body := func() {
					waits := 0
					e.OnStuck(func(Result) (verdict.Verdict, string) { return "", "not asked for" })
					e.OnStuck(func(r Result) (verdict.Verdict, string) {
						mu.Lock()
						defer mu.Unlock()
						locked := make(chan bool)
						go func() { locked <- !mu.TryLock() }() // a judge with a time limit has a goroutine of its own
						<-locked
						asked++
						if waits != 1 || r.Verdict != c.without || r.Summary == "" || len(r.Tasks) != c.left || r.Seed != 7 && r.Seed != 0 {
							t.Errorf("%d wait; the judge is shown %+v", waits, r)
						}
						return verdict.LostParallelism, "they do not meet"
					})
					e.OnStuck(func(Result) (verdict.Verdict, string) {
						t.Error("a judge was asked after one that knew")
						return "", ""
					})
					c.body(&waits)
				}
				r, _ := e.Run(7, body)
				if r.Verdict != verdict.LostParallelism || r.Summary != "they do not meet" || len(r.Tasks) != c.left || asked != 1 {
					t.Errorf("asked %d times: %s, %q", asked, r.Verdict, r.Summary)
				}
				again, _ := e.Repeat(r.Schedule.Clone(), body)
				if again.Verdict != r.Verdict || again.Hash != r.Hash || asked != 2 {
					t.Errorf("asked %d times, repeated: %s", asked, again.Verdict)
				}
			})
		}
	})
}

// A judge lasts for its execution, and is asked if that is stuck: not if it passes,
// panics, or is cut.
func TestJudgeIsAskedOnlyIfStuck(t *testing.T) {
	for want, body := range map[verdict.Verdict]func(){
		verdict.Pass:     func() {},
		verdict.Panicked: func() { panic("bang") },
		verdict.Timeout: func() {
			for x := new(atomic.Int64); ; x.Add(1) {
			}
		},
	} {
		e := start(t, Options{MaxSteps: 100})
		r, _ := e.Run(1, func() {
			e.OnStuck(func(r Result) (verdict.Verdict, string) {
				t.Errorf("asked about: %s", r.Verdict)
				return "", ""
			})
			body()
		})
		if r.Verdict != want {
			t.Errorf("%s, want %s", r.Verdict, want)
		}
		if r, _ = e.Run(1, stuck); r.Verdict != verdict.Deadlock {
			t.Errorf("the next execution: %s, want a deadlock", r.Verdict)
		}
		e.Close()
	}
}

func stuck() {
	var wg sync.WaitGroup
	wg.Add(1)
	wg.Wait()
}

func TestJudgeWithoutAnOpinion(t *testing.T) {
	e := start(t, Options{})
	plain, _ := e.Run(1, stuck)
	r, _ := e.Run(1, func() {
		e.OnStuck(func(Result) (verdict.Verdict, string) { return "", "" })
		stuck()
	})
	if r.Verdict != verdict.Deadlock || r.Summary != plain.Summary {
		t.Errorf("%s: %s, want a deadlock: %s", r.Verdict, r.Summary, plain.Summary)
	}
	r, _ = e.Run(1, func() {
		e.OnStuck(func(Result) (verdict.Verdict, string) { return verdict.LostWakeup, "" })
		stuck()
	})
	if r.Verdict != verdict.LostWakeup || r.Summary != plain.Summary {
		t.Errorf("%s: %s, want a lost wakeup: %s", r.Verdict, r.Summary, plain.Summary)
	}
}

func TestJudgeThatPanics(t *testing.T) {
	bySwitch(t, func(t *testing.T, how Switch) {
		e := start(t, Options{Switch: how})
		for range 3 {
			unwound := false
			r, _ := e.Run(1, func() {
				defer func() { unwound = true }()
				e.OnStuck(func(Result) (verdict.Verdict, string) { panic("no idea") })
				var mu sync.Mutex
				mu.Lock()
				mu.Lock()
			})
			if r.Verdict != verdict.Panicked || r.Summary != "OnStuck: panic: no idea" || !strings.Contains(r.Detail, "stuck_chaos_test.go") || !unwound {
				t.Errorf("%s: %s (unwound: %v)\n%s", r.Verdict, r.Summary, unwound, r.Detail)
			}
		}
	})
}
