//go:build chaos

package run

import (
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/rouse-go/rouse/chaos/verdict"
	"github.com/rouse-go/rouse/stress/internal/outcome"
	"github.com/rouse-go/rouse/stress/scenario"
	"github.com/rouse-go/rouse/stress/subject"
)

// Every oracle has a positive control: something with the defect that the oracle is there to see.
// Those of the pool have theirs in its own package.

// judged executes the workload once, natively.
func judged(run func(x *subject.Execution)) outcome.Result {
	return judgedWithin(0, run)
}

func judgedWithin(timeout time.Duration, run func(x *subject.Execution)) outcome.Result {
	sc := customScenario("", 2)
	sc.Mode = scenario.Native
	return (&Runner{Subjects: []subject.Subject{custom(run)}, Timeout: timeout}).Execute(&sc, 1, 0, func() {})
}

// wantVerdict checks the verdict, and that the summary contains each of the words.
func wantVerdict(t *testing.T, r outcome.Result, want verdict.Verdict, words ...string) {
	t.Helper()
	if r.Verdict != want {
		t.Fatalf("verdict %s (%s), want %s", r.Verdict, r.Summary, want)
	}
	for _, w := range words {
		if !strings.Contains(r.Summary, w) {
			t.Errorf("summary %q does not contain %q", r.Summary, w)
		}
	}
}

func TestOracleSeesLostTask(t *testing.T) {
	r := judged(func(x *subject.Execution) { x.Jobs("me", 3)[1].Done() })
	wantVerdict(t, r, verdict.LostTask, "me, job 0", "2 of 3")
}

func TestOracleSeesDuplicateTask(t *testing.T) {
	r := judged(func(x *subject.Execution) {
		jobs := x.Jobs("me", 2)
		jobs[0].Done()
		jobs[1].Done()
		jobs[1].Done()
	})
	wantVerdict(t, r, verdict.DuplicateTask, "me, job 1", "2 times")
}

func TestOracleSeesWrongResult(t *testing.T) {
	r := judged(func(x *subject.Execution) { x.Fail(verdict.WrongResult, "7 is not %d", 8) })
	wantVerdict(t, r, verdict.WrongResult, "7 is not 8")
}

func TestOracleSeesPanic(t *testing.T) {
	r := judged(func(*subject.Execution) { panic("so it goes") })
	wantVerdict(t, r, verdict.Panicked, "so it goes")
}

func TestOracleSeesLeak(t *testing.T) {
	release, gone := make(chan struct{}), make(chan struct{})
	r := judged(func(*subject.Execution) {
		go func() { <-release; close(gone) }()
	})
	close(release)
	<-gone
	wantVerdict(t, r, verdict.Leak, "outlived")
	has := outcome.ThisBuild().LeakProfile
	if quoted := strings.Contains(strings.Join(r.Explanation, "\n"), "goroutine-leak profile"); quoted != has {
		t.Errorf("the runtime has its profile: %t, and is quoted: %t\n%q", has, quoted, r.Explanation)
	}
}

// TestSlowIsNoLeak: a goroutine that still runs when all is done, for longer than goleak is patient,
// and then ends, was not scheduled.
func TestSlowIsNoLeak(t *testing.T) {
	r := judged(func(*subject.Execution) {
		begin := time.Now()
		go func() {
			for time.Since(begin) < 2*time.Second {
			}
		}()
	})
	wantVerdict(t, r, verdict.Pass)
}

func TestOracleSeesTimeout(t *testing.T) {
	release, gone := make(chan struct{}), make(chan struct{})
	r := judgedWithin(300*time.Millisecond, func(*subject.Execution) {
		defer close(gone)
		for {
			select {
			case <-release:
				return
			default:
				runtime.Gosched()
			}
		}
	})
	close(release)
	<-gone
	wantVerdict(t, r, verdict.Timeout, "a goroutine still runs")
}
