//go:build chaos

package sleep

import (
	"fmt"
	"math"
	"testing"

	"github.com/rouse-go/rouse/chaos/control"
	"github.com/rouse-go/rouse/chaos/plan"
	"github.com/rouse-go/rouse/chaos/strategy"
	"github.com/rouse-go/rouse/chaos/verdict"
	"github.com/rouse-go/rouse/internal/racing"
	"github.com/rouse-go/rouse/internal/reproduce"
)

// The programs in which the variants differ. The jobs event counter does not roll over.
var variantPrograms = []struct {
	name string
	model
}{
	{"jobs from outside", model{workers: 2, jobs: 2, jec: 32}},
	{"jobs from outside, one worker", model{workers: 1, jobs: 2, jec: 32}},
	{"jobs from outside, a leaver", model{workers: 2, jobs: 2, jec: 32, leaver: true}},
	{"jobs from outside that meet", model{workers: 2, jobs: 2, jec: 32, meet: true}},
	{"a worker's jobs that meet", model{workers: 2, jobs: 2, jec: 32, meet: true, internal: true}},
	{"two jobs of a worker, one idle thread", model{workers: 3, jobs: 3, jec: 32, meet: true, internal: true}},
	{"a broadcast", model{workers: 2, jobs: 1, jec: 32, broadcast: true}},
	{"a leaver, and nothing but latches", model{workers: 2, jec: 32, leaver: true}},
}

// losses are the programs that a variant does not come through, and what becomes of them.
// All other variants come through all programs.
var losses = map[string]map[string]verdict.Verdict{
	// An empty deque is taken as a sign that a worker is idle. But all others may sleep.
	"jec-local-queue": {
		"a worker's jobs that meet":             verdict.LostParallelism,
		"two jobs of a worker, one idle thread": verdict.LostParallelism,
	},
	// No worker takes the place of one that was relied on and leaves; and no final check
	// is at what was broadcast.
	"jec-readme": {
		"a broadcast":                           verdict.Deadlock,
		"jobs from outside, a leaver":           verdict.Deadlock,
		"jobs from outside that meet":           verdict.Deadlock,
		"two jobs of a worker, one idle thread": verdict.LostParallelism,
	},
	"rfc5":           rfc5Losses,
	"rfc5-no-sleepy": rfc5Losses,
}

// rfc5Losses: the two hazards that the RFC lists, which cost parallelism where a worker has
// posted; and, which it does not say, the same where no other worker will come to the job.
var rfc5Losses = map[string]verdict.Verdict{
	"jobs from outside":                     verdict.Deadlock,
	"jobs from outside, one worker":         verdict.Deadlock,
	"jobs from outside, a leaver":           verdict.Deadlock,
	"jobs from outside that meet":           verdict.Deadlock,
	"a worker's jobs that meet":             verdict.LostParallelism,
	"two jobs of a worker, one idle thread": verdict.LostParallelism,
	"a broadcast":                           verdict.Deadlock,
}

func TestVariants(t *testing.T) {
	executions := 3000
	if racing.Detector || testing.Short() {
		executions = 300
	}
	for _, v := range Variants() {
		for _, p := range variantPrograms {
			name, m := p.name, p.model
			m.variant = v.Name
			want := losses[v.Name][name]
			var first *control.Result
			found := ""
			for _, s := range []strategy.Strategy{strategy.Random(), strategy.PCT(3), strategy.POS()} {
				n, _, failure := explored(t, m, s, plan.Plan{}, executions)
				switch {
				case failure == nil:
					continue
				case failure.Verdict != want:
					t.Errorf("%s, %s: %s in execution %d by %s, want %s: %s", v.Name, name, failure.Verdict, n, s.Name(), want, failure.Summary)
				case first == nil:
					first = failure
				}
				found += fmt.Sprintf(", %s %d", s.Name(), n+1)
			}
			switch {
			case first != nil:
				t.Logf("%s, %s: %s, executions%s: %s", v.Name, name, first.Verdict, found, first.Summary)
				reproduce.Result(t, control.Options{}, *first, m.body)
			case want != "":
				t.Errorf("%s, %s: not found, want %s", v.Name, name, want)
			}
		}
	}
}

// Every schedule of at most one preemption, or without one, with the variants that are to lose
// nothing. Of three: go test -tags chaos -run VariantsExhausted -timeout 2h ./sleep -preemptions 3.
func TestVariantsExhausted(t *testing.T) {
	for _, v := range Variants()[1:] {
		for _, p := range variantPrograms {
			name, m := p.name, p.model
			m.variant = v.Name
			if losses[v.Name][name] != "" {
				continue
			}
			bound := 1
			if m.workers > 2 || racing.Detector {
				bound = 0
			}
			bound = max(bound, *preemptions)
			n, complete, failure := explored(t, m, strategy.DFS(bound), plan.Plan{}, math.MaxInt)
			if failure != nil || !complete {
				t.Errorf("%s, %s: complete: %v after %d executions; failure %+v", v.Name, name, complete, n, failure)
			}
			t.Logf("%s, %s: %d schedules of at most %d preemptions", v.Name, name, n, bound)
		}
	}
}
