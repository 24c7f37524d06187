package suite

import (
	"context"
	"errors"
	"fmt"
	"regexp"
	"slices"
	"strings"
	"time"

	"github.com/rouse-go/rouse/chaos/explain"
	"github.com/rouse-go/rouse/chaos/goroot/wire"
	"github.com/rouse-go/rouse/chaos/recording"
	"github.com/rouse-go/rouse/chaos/strategy"
	"github.com/rouse-go/rouse/chaos/verdict"
	"github.com/rouse-go/rouse/internal/explore"
	"github.com/rouse-go/rouse/stress/internal/report"
)

// An execution that runs alone is the first and the last of its process. That costs the start of a process, so
// executions share one unless that makes a difference: see test.alone and wire.Difference.

// strategies holds the strategies of a batch whose executions run alone. They live in this process, so they keep
// what they have learnt or explored.
type strategies struct {
	*explore.Batches
	name       string
	exhaustive bool
	replies    []int // the choices in the last execution
	alone      *wire.Alone
}

// newStrategies returns strategies of that name.
func newStrategies(name string) *strategies {
	b := explore.NewBatches(func() strategy.Strategy {
		by, _ := strategy.Parse(name) // it has been parsed before
		return by
	}, batchSize, 1)
	return &strategies{Batches: b, name: b.Name(), exhaustive: b.Exhaustive()}
}

// begin begins execution n. It returns false if there is nothing left to explore.
func (s *strategies) begin(run uint64, n int) (*wire.Alone, bool) {
	seed := n
	if s.exhaustive { // as in a worker
		seed = 0
	}
	if !s.BeginAt(n, strategy.Execution{Number: n, Seed: explore.Seed(run, seed)}) {
		return nil, false
	}
	s.replies = nil
	a := &wire.Alone{SkipsForced: s.SkipsForced(), SwitchesAfter: s.SwitchesAfter()}
	by := s.Strategy()
	_, a.Observes = by.(strategy.Observer)
	if o, ok := by.(strategy.SpawnObserver); ok {
		a.OnlySpawns = o.OnlySpawns()
	}
	if r, ok := by.(strategy.Rerunner); ok {
		a.Known = r.Known()
	}
	if o, ok := by.(strategy.AsideObserver); ok {
		a.Asides = o.ObservesAsides()
	}
	s.alone = a
	return a, true
}

// chooser returns a function that answers the questions of the current execution. It returns a negative number if
// the strategy finds that the execution diverges from an earlier one.
func (s *strategies) chooser() func(question []byte) int {
	q := &wire.Questioned{Strategy: s.Strategy()}
	return func(question []byte) (chosen int) {
		defer func() {
			switch v := recover().(type) {
			case nil:
			case *strategy.DivergenceError:
				chosen = -1
			default:
				panic(v)
			}
			s.replies = append(s.replies, chosen)
		}()
		chosen, err := q.Answer(question)
		if err != nil {
			chosen = -1
		}
		return chosen
	}
}

// again returns a function that repeats the choices of the last execution.
func (s *strategies) again() func([]byte) int {
	replies := slices.Clone(s.replies)
	return func([]byte) int {
		if len(replies) == 0 {
			return 0
		}
		next := replies[0]
		replies = replies[1:]
		return next
	}
}

// end ends the current execution with the result in its answer.
func (s *strategies) end(a *wire.Answer) {
	defer func() {
		if v := recover(); v != nil {
			if _, ok := v.(*strategy.DivergenceError); !ok {
				panic(v)
			}
		}
	}()
	if a.Ended != nil {
		s.End(*a.Ended)
	}
}

// runAlone runs those executions of a batch that run alone for the given reason, until one fails. It returns an answer
// and a death as for a batch that shares a worker. Counts that are not in the answer have been passed to count.
func (sl *slot) runAlone(ctx context.Context, t *test, b *batch, by *strategies, reason wire.Difference, count func(wire.Answer)) (wire.Answer, *death, error) {
	all := wire.Answer{Kind: wire.Explored, Next: b.to}
	defer func() { sl.choose = nil }()
	skips := b.from == 0
	for n := b.from; n < b.to; n++ {
		if !reason.Samples(n) {
			skips = false // it has run with others, not all of which skip
			continue
		}
		select {
		case <-b.enough:
			return all, nil, errEnough
		default:
		}
		alone, more := by.begin(sl.Settings.Seed, n)
		if !more {
			all.Next, all.Exhausted = n, explore.Explored(by.name, n, by.Bounded())
			return all, nil, nil
		}
		sl.choose = by.chooser()
		a, died, err := sl.ask(ctx, t, true, wire.Request{Do: wire.Explore, From: n, To: n + 1, Alone: alone, Settings: wire.Settings{Strategy: by.name}}, count, b.enough)
		sl.choose = nil
		if err != nil || died != nil {
			return all, died, err
		}
		by.end(&a)
		a.Counts.Evidence.AddExecution(0, by.Batches, 0, 0, 0, 0)
		a.Counts.Alone = a.Counts.Executions
		if a.Kind == wire.Explored && a.Passed != "" && reason != wire.DiffersInVariables { // then others are repeated
			if differs, err := sl.differsAlone(ctx, t, &a); differs != nil || err != nil {
				return *differs, nil, err
			}
		}
		for _, note := range a.Notes {
			if !slices.ContainsFunc(all.Notes, func(earlier string) bool { return alike(earlier, note) }) {
				all.Notes = append(all.Notes, note)
			}
		}
		if _, more := b.rest(t, &a, nil, n); a.Kind == wire.Failed && more {
			count(a)
			continue
		}
		skips = skips && a.Skipped
		if a.Kind == wire.Failed || skips && wire.EnoughSkips(n, b.to) {
			a.Notes = all.Notes
			return a, nil, nil
		}
		count(a)
	}
	return all, nil, nil
}

// differsAlone repeats an execution that has passed, in another process. It returns nil if both take the same way,
// and otherwise an answer that reports a failure.
func (sl *slot) differsAlone(ctx context.Context, t *test, passed *wire.Answer) (*wire.Answer, error) {
	a, died, err := sl.ask(ctx, t, true, wire.Request{Do: wire.Replay, Recording: passed.Passed}, ignore, nil)
	var refused *refusal
	switch {
	case errors.As(err, &refused) && refused.answered:
		a = wire.Answer{Reason: refused.reason}
	case err != nil:
		return &wire.Answer{}, err
	}
	rec, err := recording.Parse("an execution that has passed", passed.Passed)
	if err != nil {
		return &wire.Answer{}, err
	}
	var f wire.Failure
	switch {
	case died != nil:
		f.Summary, f.Report = "when it was repeated, "+died.what(sl.Timeout), died.output
	case a.Failure == nil:
		f.Summary = "when it was repeated, it was not possible: " + a.Reason
	case a.Failure.Verdict == verdict.Pass && a.Failure.Hash == rec.Hash && a.Unused == 0:
		return nil, nil
	case a.Failure.Verdict != verdict.Pass:
		f.Fails = true
		f.Summary = fmt.Sprintf("it passes, and when it was repeated in another process, the verdict was %s: %s", a.Failure.Verdict, a.Failure.Summary)
	default:
		f.Summary = "it took another way when it was repeated in another process"
		if f.Report, err = sl.diverges(ctx, t, passed.Passed); err != nil {
			return &wire.Answer{}, err
		}
	}
	f.Execution, f.Seed, f.Strategy, f.First, f.Differed = rec.Execution, rec.Seed, rec.Strategy, true, true
	f.Verdict = verdict.Uncontrolled
	return &wire.Answer{Kind: wire.Failed, Counts: passed.Counts, Next: rec.Execution, Failure: &f}, nil
}

// diverges repeats an execution in two more processes, and describes where they diverge and what is not controlled
// in the last one.
func (sl *slot) diverges(ctx context.Context, t *test, passed string) (string, error) {
	var ways [2][]string
	var text string
	for i := range ways {
		a, died, err := sl.ask(ctx, t, true, wire.Request{Do: wire.Replay, Recording: passed, Way: true}, ignore, nil)
		if err != nil || died != nil || a.Kind != wire.Replayed {
			return text, err
		}
		ways[i], text = a.Way, a.Outside
	}
	if !slices.Equal(ways[0], ways[1]) {
		text = explain.Divergence(ways[0], ways[1]) + "\n" + text
	}
	return text, nil
}

// A doubt is the reason why executions of a test run alone: an execution that failed, or passed differently, in a
// process in which the test had run before.
type doubt struct {
	execution int
	failure   *wire.Failure // nil if its process died
	what      string        // its outcome: "deadlock: no task can continue"
	repeats   bool          // it repeats exactly in such a process
}

// runsAlone restarts a batch. Its executions and those of later batches run alone.
func (sl *slot) runsAlone(t *test, b *batch, d *doubt) {
	sl.mu.Lock()
	defer sl.mu.Unlock()
	t.alone, t.doubt = true, d
	t.again(&batch{number: b.number, from: b.from, to: b.to, enough: make(chan struct{})})
}

// giveUp ends the running batches without counting them.
func (t *test) giveUp() {
	for _, r := range t.running {
		r.stale = true
		if !r.given {
			r.given = true
			close(r.enough)
		}
	}
	clear(t.running)
	clear(t.batches)
	t.failed = nil
}

// again makes b the next batch, and discards the batches that have run since.
func (t *test) again(b *batch) {
	t.giveUp()
	t.repeated, t.bound, t.counts, t.next, t.stage = b, unbounded, b.number, b.number+1, exploring
}

const (
	// mostUnrepeated is how many failures that do not repeat end the exploration of a test, if at least mostOf
	// eighths of its executions fail so: it would hardly find anything else. With a lower limit it would often end
	// for a test that depends on a file time, which stands still for milliseconds.
	mostUnrepeated = 32
	mostOf         = 7
	// knownAfter is how many failures of one kind are repeated before only one in eight is.
	knownAfter = 8
	// mostDiffering is how many executions that pass, but take another way when repeated, end the exploration.
	mostDiffering = 2
)

// An unrepeated counts executions that could not be repeated.
type unrepeated struct {
	failing, differing int
	execution          int    // the first
	why                string // why the first does not count
	shown              *wire.Failure
	failed             map[int]bool // the executions counted in failing
	kinds              []*unrepeatedKind
}

// An unrepeatedKind counts similar failures that did not repeat.
type unrepeatedKind struct {
	verdict   verdict.Verdict
	what      string // its summary, without numbers
	execution int    // the first
	summary   string // of the first
	times     int
}

var numbers = regexp.MustCompile(`0x[0-9a-f]+|\d+`)

// kind returns the kind of a failure, or nil if no failure of that kind has been added.
func (u *unrepeated) kind(f *wire.Failure) *unrepeatedKind {
	what := numbers.ReplaceAllString(f.Summary, "0")
	for _, k := range u.kinds {
		if k.verdict == f.Verdict && k.what == what {
			return k
		}
	}
	return nil
}

// any reports whether any execution has been counted.
func (u *unrepeated) any() bool { return u.failing+u.differing > 0 }

// add counts an execution. f is its failure, or nil if others cannot be compared with it; why and shown describe it.
func (u *unrepeated) add(at int, fails bool, why string, f, shown *wire.Failure) {
	if !u.any() {
		u.execution, u.why, u.shown = at, why, shown
	}
	if !fails {
		u.differing++
		return
	}
	if !u.failed[at] { // it runs again when executions start to run alone
		if u.failed == nil {
			u.failed = map[int]bool{}
		}
		u.failed[at] = true
		u.failing++
	}
	if f == nil {
		return
	}
	k := u.kind(f)
	if k == nil {
		k = &unrepeatedKind{verdict: f.Verdict, what: numbers.ReplaceAllString(f.Summary, "0"), execution: at, summary: f.Summary}
		u.kinds = append(u.kinds, k)
	}
	k.times++
}

// drop uncounts an execution whose failure was repeated later, in a process of its own.
func (u *unrepeated) drop(at int) {
	if !u.failed[at] {
		return
	}
	delete(u.failed, at)
	u.failing--
	u.kinds = slices.DeleteFunc(u.kinds, func(k *unrepeatedKind) bool { return k.execution == at })
	if u.execution == at {
		u.why = ""
	}
}

// isEnough reports whether the exploration ends after that many executions.
func (u *unrepeated) isEnough(executions int) bool {
	return u.differing >= mostDiffering || u.failing >= mostUnrepeated && u.failing*8 >= executions*mostOf
}

// isKnown reports whether a failure need not be repeated because similar ones did not repeat. Repeating only one in
// eight of them bounds the cost.
func (u *unrepeated) isKnown(f *wire.Failure) bool {
	k := u.kind(f)
	return k != nil && k.times >= knownAfter && k.times%8 != 0
}

// hides reports whether a repetition is inconclusive for a failure because it ended in another failure: one that is
// Real, or one that comes earlier and does not repeat. A failure of the same kind hides nothing, nor does a pass.
func (u *unrepeated) hides(f, instead *wire.Failure) bool {
	if instead == nil || instead.Real {
		return instead != nil
	}
	k := u.kind(instead)
	return k != nil && k != u.kind(f) && instead.Steps < f.Steps
}

// exactly returns how many processes must repeat a failure: the more, the more often its kind did not repeat.
func (u *unrepeated) exactly(f *wire.Failure) int {
	times := fewestExact
	if u.any() || f.Outside {
		times = mostExact
	}
	if k := u.kind(f); k != nil {
		times *= 1 + min(k.times, 3)
	}
	return times
}

// unrepeatable counts an execution that ran alone and could not be repeated. The exploration continues after it
// unless there are too many. f is its failure, if it has one, and shown describes what differs.
func (sl *slot) unrepeatable(t *test, b *batch, at int, fails bool, why string, f, shown *wire.Failure) {
	sl.mu.Lock()
	defer sl.mu.Unlock()
	u := &t.unrepeated
	u.add(at, fails, why, f, shown)
	if u.isEnough(at+1) || t.whole {
		t.endUnrepeated()
		return
	}
	t.tally()
	rest := &batch{number: b.number, from: at + 1, to: b.to, enough: make(chan struct{}), by: b.by}
	t.again(rest)
}

// endUnrepeated ends a test as uncontrolled because some of its executions could not be repeated.
func (t *test) endUnrepeated() {
	u := &t.unrepeated
	t.uncontrolled(u.execution, u.why)
	t.result.Notes = append(t.result.Notes, u.notes()...)
	if u.shown != nil {
		t.show(u.shown)
	}
}

// mostKinds is how many kinds of failures that do not repeat are reported, after the first.
const mostKinds = 4

// notes returns notes with the number of executions that could not be repeated, and with the kinds of failures other
// than the first.
func (u *unrepeated) notes() (notes []string) {
	if n := u.failing + u.differing; n > 1 {
		notes = append(notes, fmt.Sprintf("%d executions could not be repeated, %d of which failed", n, u.failing))
	}
	for i, k := range u.kinds {
		if k.execution != u.execution && i <= mostKinds {
			notes = append(notes, fmt.Sprintf("one of them is execution %d: %s: %s", k.execution, k.verdict, k.summary))
		}
	}
	return notes
}

// failsBy reports whether the test failed with the failure that text describes.
func (t *test) failsBy(text string) bool {
	r := &t.result
	return r.Status == report.TestFailed && strings.Contains(numbers.ReplaceAllString(text, "0"), numbers.ReplaceAllString(r.Summary, "0"))
}

// aloneNotes returns notes on how many executions ran alone, and why.
func (t *test) aloneNotes() (notes []string) {
	d, alone := t.doubt, t.countedAlone
	if d != nil && d.repeats && !t.failsBy(d.what) && (t.result.Status != report.TestFailed || t.result.Execution != d.execution) {
		text := fmt.Sprintf("execution %d fails in a process in which the test has run before", d.execution)
		notes = append(notes, text+", which is no failure: "+d.what)
	}
	if t.second != "" && !t.failsBy(t.second) {
		notes = append(notes, "it fails when it runs a second time in a process, which is no failure: "+t.second)
	}
	if alone > 0 {
		notes = append(notes, fmt.Sprintf("%d of %d executions had a process each", alone, t.result.Executions))
	}
	return notes
}

// mostAlone bounds the attempts to shrink a schedule when each needs a process.
const mostAlone = 100

// shrinkAlone shrinks the schedule of a failure that only the first execution of a process has. It returns nil if
// it finds nothing shorter, and whether it ran out of time.
func (sl *slot) shrinkAlone(ctx context.Context, t *test, f *wire.Failure) (_ *wire.Failure, cut bool, _ error) {
	rec, err := recording.Parse("the failure", f.Recording)
	if err != nil {
		return nil, false, nil //nolint:nilerr // it cannot be repeated either, which is what its test is told
	}
	attempts := mostAlone
	if sl.Attempts > 0 {
		attempts = min(attempts, sl.Attempts)
	}
	paths := map[uint64]string{}
	schedule := func(r *recording.Recording) strategy.Schedule {
		for _, path := range r.Tasks() {
			if key, ok := strategy.Key(path); ok {
				paths[key] = path
			}
		}
		return r.Schedule()
	}
	began, within := time.Now(), sl.within(t)
	var failed error
	var best *wire.Failure
	var shrunk *recording.Recording
	try := func(shorter strategy.Schedule) (took strategy.Schedule, same bool) {
		if cut = cut || within > 0 && time.Since(began) >= within; cut || failed != nil {
			return took, false
		}
		r := *rec
		r.Entries = recording.Entries(shorter, func(key uint64) string { return paths[key] })
		a, died, err := sl.ask(ctx, t, true, wire.Request{Do: wire.Settle, Recording: r.String(), First: true, Attempts: 1}, ignore, nil)
		if failed = err; err != nil || died != nil || a.Kind != wire.Settled {
			return took, false
		}
		if best = a.Base; best == nil {
			best = a.Failure
		}
		if shrunk, failed = recording.Parse("the shrunk failure", best.Recording); failed != nil {
			return took, false
		}
		return schedule(shrunk), true
	}
	recording.Shrink(schedule(rec), try, attempts)
	if best == nil || failed != nil {
		return nil, cut, failed
	}
	if shrunk.ShrunkFrom(rec); len(shrunk.Entries) < len(rec.Entries) {
		best.Recording, best.Decisions = shrunk.String(), [2]int{len(rec.Entries), len(shrunk.Entries)}
		return best, cut, nil
	}
	return nil, cut, nil
}
