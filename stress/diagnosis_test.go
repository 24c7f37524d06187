package stress

import (
	"fmt"
	"strings"
	"testing"

	"github.com/rouse-go/rouse/chaos/explain"
	"github.com/rouse-go/rouse/pool"
	"github.com/rouse-go/rouse/sleep"
)

// Who is asleep, who is in user code, and what waits: what the protocol may cost is
// told from what it must not.
func TestDiagnosis(t *testing.T) {
	asleep := func(i int) pool.WorkerState {
		return pool.WorkerState{Index: i, Name: workerName(i), WaitsFor: "jobs", Asleep: true, Latch: sleep.Sleeping}
	}
	busy := func(i, jobs int) pool.WorkerState {
		return pool.WorkerState{Index: i, Name: workerName(i), Jobs: jobs}
	}
	with := func(w pool.WorkerState, change func(*pool.WorkerState)) pool.WorkerState {
		change(&w)
		return w
	}
	crowd := []pool.WorkerState{asleep(0)}
	for i := 1; i < 64; i++ {
		crowd = append(crowd, busy(i, 1))
	}
	for name, c := range map[string]struct {
		workers  []pool.WorkerState
		injected int
		want     Verdict
		says     string
	}{
		"a forked job beside a sleeper": {[]pool.WorkerState{busy(0, 2), asleep(1), asleep(2)}, 0, LostParallelism,
			"worker 1, worker 2 sleep, while worker 0 is in user code, with 2 jobs in the deque that nobody takes"},
		"the same, and a job from outside": {[]pool.WorkerState{busy(0, 2), asleep(1)}, 1, LostWakeup, "in the injector is stranded"},
		"the same, and a broadcast": {[]pool.WorkerState{busy(0, 2),
			with(asleep(1), func(w *pool.WorkerState) { w.Broadcasts = 1 })}, 0, LostWakeup, "although a broadcast waits for it"},
		"the same, and a latch that is set": {[]pool.WorkerState{busy(0, 2),
			with(asleep(1), func(w *pool.WorkerState) { w.Latch = sleep.Set })}, 0, LostWakeup, "although its latch is set"},
		"the same, and a notification that was lost": {[]pool.WorkerState{busy(0, 2),
			with(asleep(1), func(w *pool.WorkerState) { w.Notified = true })}, 0, LostWakeup, "sleeps on, and counts as woken"},
		"of a crowd, not everybody is named": {crowd, 1, LostWakeup,
			"job no. 1 in the injector is stranded: worker 0 sleeps, worker 1, worker 2, worker 3 and 60 more are in user code"},
		"nor of one that has forked": {crowd, 0, LostParallelism,
			"worker 0 sleeps, while worker 1, worker 2, worker 3 and 60 more are in user code, with 63 jobs in the deque"},
		"a job from outside, and nobody sleeps who could be told": {[]pool.WorkerState{busy(0, 0), busy(1, 1)}, 1, Deadlock,
			"no missing notification explains it; all workers are in user code"},
		"the same, and one may not take it": {[]pool.WorkerState{busy(0, 0),
			with(asleep(1), func(w *pool.WorkerState) { w.Private = true })}, 1, Deadlock, "no missing notification explains it"},
		"a job from outside, and all have gone": {[]pool.WorkerState{
			with(asleep(0), func(w *pool.WorkerState) { w.Asleep, w.Ended = false, true })}, 1, LostWakeup, "is stranded"},
		"nobody has forked": {[]pool.WorkerState{busy(0, 0), asleep(1)}, 0, Deadlock, "no missing notification explains it"},
		"nobody sleeps":     {[]pool.WorkerState{busy(0, 1), busy(1, 1)}, 0, Deadlock, "no missing notification explains it"},
		"the sleeper may not take it": {[]pool.WorkerState{busy(0, 1),
			with(asleep(1), func(w *pool.WorkerState) { w.Private = true })}, 0, Deadlock, "no missing notification explains it"},
		"the sleeper has work itself": {[]pool.WorkerState{busy(0, 1),
			with(asleep(1), func(w *pool.WorkerState) { w.Jobs = 1 })}, 0, Deadlock, "no missing notification explains it"},
		"the poster has ended": {[]pool.WorkerState{
			with(busy(0, 1), func(w *pool.WorkerState) { w.Ended = true }), asleep(1)}, 0, Deadlock, "no missing notification explains it"},
	} {
		s := scene{pools: []poolScene{{"", pool.State{Workers: c.workers, Injected: c.injected}}}}
		d := s.diagnose(nil)
		if d.verdict != c.want || !strings.Contains(d.summary, c.says) {
			t.Errorf("%s: %s: %s; want %s: ... %s", name, d.verdict, d.summary, c.want, c.says)
		}
		if lines := d.explain(nil, explain.Wakeup{}); d.verdict != Deadlock && len(lines) < 4 {
			t.Errorf("%s: the story is %q", name, lines)
		}
	}
}

// The story of a crowd names a few, and counts the others.
func TestDiagnosisOfManySleepers(t *testing.T) {
	var workers []pool.WorkerState
	for i := range 64 {
		workers = append(workers, pool.WorkerState{Index: i, Name: workerName(i), WaitsFor: "jobs", Asleep: true, Latch: sleep.Set})
	}
	lines := scene{pools: []poolScene{{"", pool.State{Workers: workers}}}}.diagnose(nil).explain(nil, explain.Wakeup{})
	if want := "sleeps        worker 0, on jobs (SET); worker 1, on jobs (SET); worker 2, on jobs (SET); 61 more"; lines[3] != want {
		t.Errorf("got  %s\nwant %s", lines[3], want)
	}
	if len(lines) != 8 || lines[7] != "also          60 more" {
		t.Errorf("the story ends with %q", lines[4:])
	}
}

func workerName(i int) string { return fmt.Sprint("worker ", i) }

// An outsider whose notification was dropped is known by the plan only.
func TestDiagnosisOfAnOutsider(t *testing.T) {
	d := scene{}.diagnose([]FaultCount{{At: "sleep/latch-lock-notify", Kind: "drop", Fires: 1}})
	if d.verdict != LostWakeup || !strings.Contains(d.summary, "an outsider") {
		t.Errorf("%s: %s", d.verdict, d.summary)
	}
	if d := (scene{}).diagnose(nil); d.verdict != Deadlock {
		t.Errorf("%s: %s", d.verdict, d.summary)
	}
}
