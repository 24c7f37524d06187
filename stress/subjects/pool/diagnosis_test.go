package pool

import (
	"fmt"
	"strings"
	"testing"

	"github.com/rouse-go/rouse/chaos/verdict"
	"github.com/rouse-go/rouse/pool"
	"github.com/rouse-go/rouse/sleep"
	"github.com/rouse-go/rouse/stress/subject"
)

// From which workers sleep, which are in user code, and what waits, the diagnosis distinguishes what the
// protocol permits from what it does not.
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
		want     verdict.Verdict
		says     string
	}{
		"a forked job while others sleep": {[]pool.WorkerState{busy(0, 2), asleep(1), asleep(2)}, 0, verdict.LostParallelism,
			"worker 1, worker 2 sleep, while worker 0 is in user code, with 2 jobs in the deque that no worker takes"},
		"the same, and a job from outside": {[]pool.WorkerState{busy(0, 2), asleep(1)}, 1, verdict.LostWakeup, "in the injector is stranded"},
		"the same, and a broadcast": {[]pool.WorkerState{busy(0, 2),
			with(asleep(1), func(w *pool.WorkerState) { w.Broadcasts = 1 })}, 0, verdict.LostWakeup, "although a broadcast waits for it"},
		"the same, and a latch that is set": {[]pool.WorkerState{busy(0, 2),
			with(asleep(1), func(w *pool.WorkerState) { w.Latch = sleep.Set })}, 0, verdict.LostWakeup, "although its latch is set"},
		"the same, and a notification that was lost": {[]pool.WorkerState{busy(0, 2),
			with(asleep(1), func(w *pool.WorkerState) { w.Notified = true })}, 0, verdict.LostWakeup, "sleeps on, and counts as woken"},
		"of a crowd, some are named": {crowd, 1, verdict.LostWakeup,
			"job no. 1 in the injector is stranded: worker 0 sleeps, worker 1, worker 2, worker 3 and 60 more are in user code"},
		"nor of one that has forked": {crowd, 0, verdict.LostParallelism,
			"worker 0 sleeps, while worker 1, worker 2, worker 3 and 60 more are in user code, with 63 jobs in the deque"},
		"a job from outside, and no worker sleeps that could be notified": {[]pool.WorkerState{busy(0, 0), busy(1, 1)}, 1, verdict.Deadlock,
			"no missing notification explains it; all workers are in user code"},
		"the same, and one may not take it": {[]pool.WorkerState{busy(0, 0),
			with(asleep(1), func(w *pool.WorkerState) { w.Private = true })}, 1, verdict.Deadlock, "no missing notification explains it"},
		"a job from outside, and all have gone": {[]pool.WorkerState{
			with(asleep(0), func(w *pool.WorkerState) { w.Asleep, w.Ended = false, true })}, 1, verdict.LostWakeup, "is stranded"},
		"no worker has forked": {[]pool.WorkerState{busy(0, 0), asleep(1)}, 0, verdict.Deadlock, "no missing notification explains it"},
		"no worker sleeps":     {[]pool.WorkerState{busy(0, 1), busy(1, 1)}, 0, verdict.Deadlock, "no missing notification explains it"},
		"the sleeper may not take it": {[]pool.WorkerState{busy(0, 1),
			with(asleep(1), func(w *pool.WorkerState) { w.Private = true })}, 0, verdict.Deadlock, "no missing notification explains it"},
		"the sleeper has work itself": {[]pool.WorkerState{busy(0, 1),
			with(asleep(1), func(w *pool.WorkerState) { w.Jobs = 1 })}, 0, verdict.Deadlock, "no missing notification explains it"},
		"the poster has ended": {[]pool.WorkerState{
			with(busy(0, 1), func(w *pool.WorkerState) { w.Ended = true }), asleep(1)}, 0, verdict.Deadlock, "no missing notification explains it"},
	} {
		s := scene{pools: []poolScene{{"", pool.State{Workers: c.workers, Injected: c.injected}}}}
		d := s.diagnose(nil)
		if d.Verdict != c.want || !strings.Contains(d.Summary, c.says) {
			t.Errorf("%s: %s: %s; want %s: ... %s", name, d.Verdict, d.Summary, c.want, c.says)
		}
		if d.Verdict != verdict.Deadlock && (len(d.Checks) == 0 || len(d.Posts) == 0 || len(d.Sleepers) == 0) {
			t.Errorf("%s: the report lacks a line: %+v", name, d)
		}
	}
}

// Of a crowd the diagnosis names all; the report shortens the list.
func TestDiagnosisOfManySleepers(t *testing.T) {
	var workers []pool.WorkerState
	for i := range 64 {
		workers = append(workers, pool.WorkerState{Index: i, Name: workerName(i), WaitsFor: "jobs", Asleep: true, Latch: sleep.Set})
	}
	d := scene{pools: []poolScene{{"", pool.State{Workers: workers}}}}.diagnose(nil)
	if len(d.Sleepers) != 64 || d.Sleepers[2] != "worker 2, on jobs (SET)" {
		t.Errorf("asleep are %q", d.Sleepers)
	}
	if len(d.Others) != 63 {
		t.Errorf("also wrong: %q", d.Others)
	}
}

func workerName(i int) string { return fmt.Sprint("worker ", i) }

// An outsider whose notification was dropped is known by the plan only.
func TestDiagnosisOfAnOutsider(t *testing.T) {
	d := scene{}.diagnose([]subject.Fired{{Point: "sleep/latch-lock-notify", Kind: "drop", Fires: 1}})
	if d.Verdict != verdict.LostWakeup || !strings.Contains(d.Summary, "an outsider") {
		t.Errorf("%s: %s", d.Verdict, d.Summary)
	}
	if d := (scene{}).diagnose(nil); d.Verdict != verdict.Deadlock {
		t.Errorf("%s: %s", d.Verdict, d.Summary)
	}
}
