package stress

import (
	"slices"
	"strings"
	"time"

	"github.com/rouse-go/rouse/chaos/control"
	"github.com/rouse-go/rouse/chaos/explain"
	"github.com/rouse-go/rouse/chaos/recording"
	"github.com/rouse-go/rouse/chaos/strategy"
)

// A repeatRequest asks a child to repeat a recorded execution under control.
type repeatRequest struct {
	Schedule string // the recording
	Times    int
	// Attempts to shrink it, at most; 0 is not at all.
	Attempts int
	Explain  bool
}

// A Try is one repetition of a recorded execution.
type Try struct {
	Verdict Verdict
	Summary string // "" if the verdict is Pass
	Site    string // where the failure shows, as in a Schedule
	Hash    uint64 // of the trace
	Unused  int    // decisions of the recording that did not apply
}

// Compare compares the try with what was recorded, and says what differs.
func (t Try) Compare(s *Schedule) (recording.Likeness, string) {
	return s.Compare(recording.Repetition{Verdict: t.Verdict, Site: t.Site, Hash: t.Hash, Unused: t.Unused})
}

// Same reports whether the try was the recorded execution again.
func (t Try) Same(s *Schedule) bool {
	likeness, _ := t.Compare(s)
	return likeness == recording.Exact
}

// shrunk is what shrinking came to.
type shrunk struct {
	Attempts int
	Schedule string // the recording, "" if it does not fail any more
}

// repeat does what was asked for, in that order.
func (r *request) repeat(send func(message)) error {
	s, err := recording.Parse("the recording", r.Repeat.Schedule)
	if err != nil {
		return err
	}
	e, err := newExplorer(&r.Scenario, r.CampaignSeed)
	if err != nil {
		return err
	}
	defer e.close()
	body := e.body(s.Execution, s.Seed)
	alive := func() {
		send(message{Begin: &begin{s.Execution, s.Seed, r.Scenario.Pool.sizeOf(s.Execution)}})
	}
	for range r.Repeat.Times {
		alive()
		result, unused := e.engine.Repeat(s.Schedule(), body)
		found := e.judge(result)
		send(message{Try: &Try{found.verdict, firstLine(found.summary), siteOf(result, found), result.Hash, unused.Len()}})
	}
	if r.Repeat.Attempts > 0 {
		send(message{Shrunk: e.shrink(s, r.Repeat.Attempts, alive)})
	}
	if r.Repeat.Explain {
		send(message{Explained: e.retold(s)})
	}
	return nil
}

// retold is the execution that a recording leads to now, with its story.
func (e *explorer) retold(s *Schedule) *failure {
	_, unused := e.engine.Repeat(s.Schedule(), e.body(s.Execution, s.Seed))
	r, events, traced := e.tell(s.Execution, s.Seed, s.Schedule())
	f := &failure{Result: r, Gone: explain.Gone(s.Entries, unused, events)}
	if traced.Hash == s.Hash {
		explain.Annotate(s.Entries, events)
	}
	f.Schedule = s.String()
	return f
}

// shrink looks for a shorter schedule that fails in the same way: with the same
// verdict, at the same site.
func (e *explorer) shrink(s *Schedule, attempts int, alive func()) *shrunk {
	body := e.body(s.Execution, s.Seed)
	announced := time.Time{}
	repeat := func(by strategy.Schedule) (control.Result, Verdict, string) {
		if now := time.Now(); now.Sub(announced) > announceTime {
			announced = now
			alive()
		}
		r, _ := e.engine.Repeat(by, body)
		found := e.judge(r)
		return r, found.verdict, siteOf(r, found)
	}
	first, want, site := repeat(s.Schedule())
	if want != s.Verdict {
		return &shrunk{Attempts: 1}
	}
	begin := first.Schedule // without what did not apply
	if begin.Len() > len(s.Entries) {
		begin = s.Schedule()
	}
	shortest, n := recording.Shrink(begin, func(by strategy.Schedule) (strategy.Schedule, bool) {
		r, v, at := repeat(by)
		return r.Schedule, v == want && at == site
	}, recording.WithinSteps(attempts, first.Steps))
	r, events, traced := e.tell(s.Execution, s.Seed, shortest)
	short := e.record(r, siteOf(traced, e.judge(traced)), traced.Hash, shortest)
	explain.Annotate(short.Entries, events)
	return &shrunk{Attempts: n, Schedule: short.String()}
}

// siteOf is where a failure shows itself, for comparing two: where those stand who
// cannot go on, or what a panic says.
func siteOf(r control.Result, found finding) string {
	var places []string
	for _, t := range r.Tasks {
		places = append(places, t.Place())
	}
	if len(places) == 0 {
		_, said, _ := strings.Cut(firstLine(found.summary), "panic: ")
		return said
	}
	slices.Sort(places)
	return strings.Join(slices.Compact(places), "; ")
}
