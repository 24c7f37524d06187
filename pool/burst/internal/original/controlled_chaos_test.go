//go:build chaos

package original

import (
	"math"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/rouse-go/rouse/chaos/control"
	"github.com/rouse-go/rouse/chaos/explain"
	"github.com/rouse-go/rouse/chaos/plan"
	"github.com/rouse-go/rouse/chaos/recording"
	"github.com/rouse-go/rouse/chaos/strategy"
	"github.com/rouse-go/rouse/chaos/verdict"
	"github.com/rouse-go/rouse/hooks"
	"github.com/rouse-go/rouse/internal/racing"
	"github.com/rouse-go/rouse/internal/reproduce"
)

// options are those of every engine here. No loop of a program is bounded by more than
// a few rounds.
func options(s strategy.Strategy, p plan.Plan) control.Options {
	return control.Options{Strategy: s, Plan: p, MaxSpins: 50, Grace: -1}
}

// controlled returns an engine that the caller closes.
func controlled(t *testing.T, s strategy.Strategy, p plan.Plan) *control.Engine {
	t.Helper()
	e, err := control.New(options(s, p))
	if err != nil {
		t.Fatal(err)
	}
	return e
}

// body is what the first task of an execution of e does.
func (d defect) body(fresh func() subject) func(e *control.Engine) func() {
	return func(e *control.Engine) func() {
		return func() {
			s := &scene{subject: fresh(), engine: e}
			e.OnStuck(s.stuck)
			d.program(s)
		}
	}
}

// is reports whether a result is this defect's, rather than another's.
func (d defect) is(r control.Result) bool {
	return r.Verdict == d.verdict && strings.Contains(r.Summary, d.summary)
}

// The strategies that are to find the defects.
var strategies = []func() strategy.Strategy{
	strategy.Random,
	func() strategy.Strategy { return strategy.PCT(3) },
	strategy.POS,
	func() strategy.Strategy { return strategy.DFS(2) },
	strategy.DPOR,
}

// most is how many executions each has, and mostRacing under the race detector, where a
// switch costs ten times as much: the table is not for it.
const (
	most       = 20_000
	mostRacing = 1000
)

// A finding is a defect that a strategy has found.
type finding struct {
	strategy  string
	execution int // from 1; 0 if it has not been found
	control.Result
	steps []step // of the protocol, in the shrunk execution
}

// find looks for the defect with one strategy, and shrinks what it finds.
func (d defect) find(t *testing.T, s strategy.Strategy) finding {
	t.Helper()
	e := controlled(t, s, d.plan)
	defer e.Close()
	body := d.body(newOriginal)(e)
	f := finding{strategy: s.Name()}
	budget := most
	if racing.Detector {
		budget = mostRacing
	}
	for n := range budget {
		r, more := e.Run(strategy.ChildKey(1, n), body)
		if !more {
			return f
		}
		if !d.is(r) {
			continue
		}
		f.execution = n + 1
		schedule, _ := recording.Shrink(r.Schedule, func(s strategy.Schedule) (strategy.Schedule, bool) {
			again, _ := e.Repeat(s, body)
			return again.Schedule, d.is(again)
		}, 2000)
		again, _ := e.Repeat(schedule, body)
		if !d.is(again) {
			t.Fatalf("%s: shrunk, it has become %s: %s", s.Name(), again.Verdict, again.Summary)
		}
		f.Result = again
		f.Seed, f.Schedule = strategy.ChildKey(1, n), schedule
		return f
	}
	return f
}

// recorded makes the recording of a finding, and says what it takes.
func (d defect) recorded(t *testing.T, f *finding) *recording.Recording {
	t.Helper()
	e := controlled(t, nil, plan.Plan{})
	defer e.Close()
	_, events := e.Trace(f.Schedule, d.body(newOriginal)(e))
	f.steps = steps(events)
	r := &recording.Recording{
		Kind:    recording.Controlled,
		Subject: "pool/burst/internal/original " + d.name, Strategy: f.strategy, Seed: f.Seed, Execution: f.execution - 1,
		Verdict: f.Verdict, Summary: f.Summary, Hash: f.Hash, Entries: recording.Entries(f.Schedule, e.Path),
	}
	explain.Annotate(r.Entries, events)
	return r
}

// Every defect is found, repeats, shrinks to few decisions, and is in the table and in
// testdata as it is found.
func TestDefectsAreFound(t *testing.T) {
	var rows []string
	for _, d := range defects {
		t.Run(d.name, func(t *testing.T) {
			var found []finding
			var best *finding
			for _, s := range strategies {
				f := d.find(t, s())
				found = append(found, f)
				t.Logf("%s: execution %d, %d decisions: %s: %s", f.strategy, f.execution, f.Schedule.Len(), f.Verdict, f.Summary)
			}
			for i := range found {
				if f := &found[i]; f.execution > 0 && (best == nil || f.Schedule.Len() < best.Schedule.Len()) {
					best = f
				}
			}
			if best == nil {
				t.Fatalf("not found")
			}
			r := d.recorded(t, best)
			if n := len(best.steps); d.model > 0 && n > 2*d.model {
				t.Errorf("%d steps, and a model checker needed %d", n, d.model)
			}
			reproduce.Recording(t, options(nil, plan.Plan{}), r, d.body(newOriginal))
			d.compare(t, r)
			rows = append(rows, row(d, found, best))
		})
	}
	if !racing.Detector && !t.Failed() && len(rows) == len(defects) { // else -run has left some out
		compareTable(t, strings.Join(rows, ""))
	}
}

// file is the recording of a defect.
func (d defect) file() string { return filepath.Join("testdata", d.name+".rouse") }

// compare writes the recording, or compares it with the one that is there.
func (d defect) compare(t *testing.T, r *recording.Recording) {
	t.Helper()
	if *update {
		if err := r.Write(d.file()); err != nil {
			t.Fatal(err)
		}
		return
	}
	old, err := recording.Read(d.file())
	if err != nil {
		t.Fatalf("%v; -update writes it", err)
	}
	if plain(old) != plain(r) {
		t.Errorf("%s differs; -update if that is intended. Found\n%s", d.file(), r)
	}
}

// plain is a recording without its comments: they change with the source.
func plain(r *recording.Recording) string {
	p := *r
	p.Entries = slices.Clone(r.Entries)
	for i := range p.Entries {
		p.Entries[i].Comment = ""
	}
	return p.String()
}

// The recordings that are kept, as they are. Together they come to every hook point.
func TestRecordingsRepeat(t *testing.T) {
	come := map[string]bool{}
	for _, d := range defects {
		r, err := recording.Read(d.file())
		if err != nil {
			t.Error(err)
			continue
		}
		e := controlled(t, nil, plan.Plan{})
		body := d.body(newOriginal)(e)
		again, unused := e.Repeat(r.Schedule(), body)
		_, events := e.Trace(r.Schedule(), body)
		e.Close()
		if !d.is(again) || r.Verdict != again.Verdict || r.Hash != again.Hash || unused.Len() > 0 {
			t.Errorf("%s: %s (%s), trace %016x; %d entries did not apply; the recording is\n%s",
				d.file(), again.Verdict, again.Summary, again.Hash, unused.Len(), r)
		}
		for _, s := range steps(events) {
			come[s.point] = true
		}
	}
	for point := range letters {
		if !come[point] {
			t.Errorf("no recording comes to burst-original/%s", point)
		}
	}
	files, err := filepath.Glob(filepath.Join("testdata", "*.rouse"))
	if err != nil || len(files) != len(defects) {
		t.Errorf("%d recordings of %d defects: %q", len(files), len(defects), files)
	}
}

// The other half of the control: package burst runs the same programs before the same
// oracles, exhaustively up to a number of preemptions, and then at random, with and
// without waits that end for no reason.
func TestBurstHasNoneOfThem(t *testing.T) {
	spurious := plan.Plan{Faults: []plan.Fault{{At: "sync/cond-wait", Kind: hooks.SpuriousWakes, Probability: 0.2}}}
	bound, executions := 2, 3000
	if racing.Detector {
		bound, executions = 1, 200
	}
	for _, d := range defects {
		t.Run(d.name, func(t *testing.T) {
			passes := func(s strategy.Strategy, p plan.Plan, most int) int {
				n, failure := d.tried(t, s, p, most)
				if failure != nil {
					t.Fatalf("%s, execution %d: %s: %s\n%s", s.Name(), n, failure.Verdict, failure.Summary, failure.Detail)
				}
				return n
			}
			t.Logf("%d schedules of at most %d preemptions", passes(strategy.DFS(bound), plan.Plan{}, math.MaxInt), bound)
			for _, s := range []func() strategy.Strategy{strategy.Random, func() strategy.Strategy { return strategy.PCT(3) }, strategy.POS} {
				passes(s(), plan.Plan{}, executions)
				passes(s(), spurious, executions)
			}
		})
	}
}

// And these oracles do see what is wrong with it, if a wakeup is lost: until closing
// mends that, the message waits.
func TestABrokenBurstIsSeen(t *testing.T) {
	lost := plan.Plan{Faults: []plan.Fault{{At: "burst/wake-notify", Kind: hooks.Drops, Count: 1}}}
	for _, name := range []string{"BP-8", "BP-9-message"} {
		d := defects[slices.IndexFunc(defects, func(d defect) bool { return d.name == name })]
		if n, failure := d.tried(t, strategy.DFS(0), lost, 100); failure == nil {
			t.Errorf("%s: not detected in %d executions", name, n)
		}
	}
}

// tried runs the program with package burst, until it fails.
func (d defect) tried(t *testing.T, s strategy.Strategy, p plan.Plan, most int) (executions int, failure *control.Result) {
	t.Helper()
	e := controlled(t, s, p)
	defer e.Close()
	body := d.body(newFixed)(e)
	for n := range most {
		r, more := e.Run(strategy.ChildKey(2, n), body)
		if !more {
			return n, nil
		}
		if r.Verdict != verdict.Pass {
			return n, &r
		}
	}
	return most, nil
}
