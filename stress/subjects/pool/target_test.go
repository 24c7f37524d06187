package pool

import (
	"fmt"
	"strings"
	"testing"

	"github.com/rouse-go/rouse/pool"
	"github.com/rouse-go/rouse/sleep"
)

// TestSubjectHasTheStrategy: the variant that a scenario names is the one that its pools run. All are
// posted to at rest only, when no strategy loses a job.
func TestSubjectHasTheStrategy(t *testing.T) {
	for _, v := range sleep.Variants() {
		for _, rounds := range []string{"", "0"} {
			sc := parallel(t, injectWorkload, 2)
			sc.Variant = v.Name
			if rounds != "" {
				sc.Setup["rounds"] = rounds
			}
			x := prepared(sc, injectWorkload)
			p := x.newPool(2)
			jobs := x.open("poster", 1)
			x.rest(p)
			if c := p.Counters(); c.Sleeping != 2 || c.Inactive != 2 {
				t.Errorf("%s at rest: %+v", v.Name, c)
			}
			if err := p.Go(func(*pool.Worker) { jobs[0].ran() }); err != nil {
				t.Error(err)
			}
			x.rest(p)
			if moved := p.Counters().JEC != 0; moved != strings.HasPrefix(v.Name, "jec") {
				t.Errorf("%s after a post: %+v", v.Name, p.Counters())
			}
			x.close(p)
			if found := x.Findings(); len(found) > 0 {
				t.Errorf("%s: %v", v.Name, found)
			}
		}
	}
}

// TestCosts: what the table says is what the workloads do, and their own sizes are
// within the bounds, in the largest pool, too.
func TestCosts(t *testing.T) {
	for _, w := range workloads() {
		c, ok := costs[w.name]
		if !ok {
			t.Errorf("%s has no costs", w.name)
			continue
		}
		d := w.defaults
		if jobs, pauses := c.jobs(d, maxWorkers), c.pauses(d)*float64(d.pause); jobs > maxJobs || pauses > float64(maxPause) {
			t.Errorf("%s: %g jobs, pauses of %g ns", w.name, jobs, pauses)
		}
		const workers = 2
		x := prepared(parallel(t, w, workers), w)
		w.work().Run(x.Execution, x)
		jobs := jobsOf(t, x)
		if most := int(c.jobs(d, workers)); jobs > most || !heavier[w.name] && jobs != most {
			t.Errorf("%s entered %d jobs, the table says %d", w.name, jobs, most)
		}
	}
	// Powers that no integer holds are refused all the same.
	if got := scopeJobs(sizes{jobs: 100_000, depth: 64}); got < maxJobs {
		t.Errorf("deep scopes come to %g jobs", got)
	}
}

// heavier are the workloads for which the table counts more than jobs.
var heavier = map[string]bool{
	"blocking": true, "bounded": true, "broadcast": true, "broadcasts": true, "cancel": true, "churn": true, "closing": true, "crossing": true,
	"data": true, "groups": true, "handlers": true, "increment-all": true, "loops": true, "nbody": true, "order": true, "panics": true, "programs": true,
	"queued": true,
}

// jobsOf is how many jobs were entered in an execution with which nothing else is wrong: the report of
// one that is lost says so.
func jobsOf(t *testing.T, x *execution) (n int) {
	t.Helper()
	x.open("lost", 1)
	found := x.Findings()
	_, counts, _ := strings.Cut(found[0].Summary, "(1 of ")
	if _, err := fmt.Sscanf(counts, "%d jobs never ran", &n); err != nil || len(found) > 1 {
		t.Errorf("%v", found)
	}
	return n - 1
}
