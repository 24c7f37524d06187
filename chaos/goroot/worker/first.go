package worker

import (
	"fmt"
	"strings"

	"github.com/rouse-go/rouse/chaos/control"
	"github.com/rouse-go/rouse/chaos/goroot/wire"
	"github.com/rouse-go/rouse/chaos/recording"
	"github.com/rouse-go/rouse/chaos/strategy"
	"github.com/rouse-go/rouse/chaos/verdict"
)

// The first execution of a process does what is done once: it starts workers, fills caches. Goroutines end with
// their execution, and package-level variables stay, so a second execution may find them without a server. A
// failure counts only if the first execution of a process has it. Executions that are not the first are a way to
// find it sooner.

// probe runs the default schedule as the first execution of the process, and again. It returns an answer if that
// is the end of the request, which begins at execution from.
func (s *session) probe(from int) (a wire.Answer, over bool) {
	s.probed = true
	x := s.Execution(0)
	schedule := strategy.Schedule{Seed: x.Seed}
	s.noteVariables()
	first, _ := s.Once(x, schedule)
	if first.Verdict != verdict.Pass {
		if s.first = true; first.Verdict == verdict.Timeout {
			s.counts.Cut++
			return s.failure(s.Execution(from), first.Result), true
		}
		return s.failure(s.Execution(0), first.Result), true
	}
	skipped := s.skipped
	s.steps = first.Steps
	s.compareVariables()
	second, _ := s.Repeat(x, schedule)
	switch {
	case second.Verdict == verdict.Uncontrolled || second.Verdict == verdict.Timeout:
		if second.Verdict == verdict.Timeout {
			s.counts.Cut++
		}
		return s.failure(s.Execution(from), second), true
	case second.Verdict != verdict.Pass:
		return s.alone(from, fmt.Sprintf("%s: %s", second.Verdict, second.Summary)), true
	case s.skipped != skipped:
		return s.alone(from, ""), true
	case second.Hash != first.Hash && isLazy(first.Events, s.Trace(x, schedule).Events):
		if s.Batches.Exhaustive() { // a sample is not a search
			return s.alone(from, ""), true
		}
		s.samples = wire.DiffersInTrace
	case s.found.other && !s.Batches.Exhaustive():
		s.samples = wire.DiffersInVariables
	}
	return a, false
}

// variables holds what the first execution of the process has found in package-level variables.
type variables struct {
	hash uint64
	// other: a later execution has found, or would find, something else, or that is not known.
	other bool
}

// Words of variables, and of what they lead to, that are looked at: once for a session, or for each execution.
const (
	mostVariables = 1 << 18
	fewVariables  = 1 << 14
)

// findVariables returns what the variables hold now.
func (s *session) findVariables() (hash uint64, complete bool) {
	find := s.worker.binary.Variables
	switch {
	case find == nil:
		return 0, true
	case s.Batches.Exhaustive():
		return find(fewVariables)
	}
	return find(mostVariables)
}

// noteVariables records what the variables hold before the first execution of the process.
func (s *session) noteVariables() {
	hash, complete := s.findVariables()
	s.found = variables{hash, !complete}
}

// compareVariables records whether the next execution finds what the first one has found.
func (s *session) compareVariables() {
	if v := &s.found; !v.other {
		hash, complete := s.findVariables()
		v.other = hash != v.hash || !complete
	}
}

// alone returns the answer that each execution is to have a process of its own. second is how the second one of a
// process fails, if it does.
func (s *session) alone(from int, second string) wire.Answer {
	return wire.Answer{Kind: wire.Explored, Next: from, Counts: s.takeCounts(), Differs: wire.DiffersInVerdict, Second: second}
}

// isLazy reports whether the first execution of a process does something outside of the standard library that a
// later one does not do: bugs of what is done once can only be found there.
func isLazy(first, later []control.Event) bool {
	type operation struct {
		kind strategy.Kind
		at   string
	}
	of := func(e control.Event) operation {
		return operation{e.Kind, fmt.Sprintf("%s:%d %s", e.Site.File, e.Site.Line, e.Call)}
	}
	times := map[operation]int{}
	for _, e := range later {
		times[of(e)]++
	}
	for _, e := range first {
		if times[of(e)]--; times[of(e)] < 0 && !isStandard(e) {
			return true
		}
	}
	return false
}

// isStandard reports whether an operation is the standard library's own: no function of the subject is on the
// stack, or the innermost calls into a package that works by itself. That a task begins or ends is the subject's.
func isStandard(e control.Event) bool {
	if e.Kind == strategy.Begin || e.Kind == strategy.End {
		return false
	}
	return e.Standard || e.Site.File == "" || callsStandard(e.Call)
}

// callsStandard reports whether a function is of the standard library, and not of a package whose operations
// are the caller's own: a lock, a timer.
func callsStandard(function string) bool {
	path := function[:strings.LastIndexByte(function, '/')+1]
	name, _, _ := strings.Cut(function[len(path):], ".")
	switch path + name {
	case "", "sync", "sync/atomic", "time", "context", "runtime":
		return false
	}
	domain, _, _ := strings.Cut(path+name, "/")
	return !strings.Contains(domain, ".")
}

// exploreAlone serves a request to explore the first execution of the process, and no other.
func (w *Worker) exploreAlone(r wire.Request) wire.Answer {
	named, _ := strategy.Parse(r.Settings.Strategy) // sessions have it in the process of stress test
	by := &asking{alone: *r.Alone, ask: w.Ask, name: r.Settings.Strategy, exhaustive: named != nil && strategy.IsExhaustive(named)}
	var chooser strategy.Strategy = by
	if r.Alone.Observes {
		chooser = observing{by}
	}
	s, err := w.newSession(r.Test, r.Settings, chooser)
	if err != nil {
		return refused("%v", err)
	}
	s.first, s.probed = true, true
	w.announce(r.From)
	result, _ := s.Run(r.From)
	s.next = r.From + 1
	s.count(r.From, result)
	s.countEarly(r.From)
	if result.Verdict == verdict.Timeout {
		s.counts.Cut++
	}
	var a wire.Answer
	if result.Verdict == verdict.Pass {
		a = s.passed(r.To, "")
		if guarded(r.From) && result.Schedule.Len() <= mostDecisions {
			a.Passed = s.recordingOf(s.Execution(r.From), result, result.Schedule).String()
		}
	} else {
		a = s.failure(s.Execution(r.From), result)
	}
	a.Ended = by.ended
	return a
}

// asking is a strategy that is in another process.
type asking struct {
	alone wire.Alone
	ask   func(question []byte) int
	name  string

	exhaustive bool

	question []byte // so far: see wire.AppendEvent
	diverged bool   // the strategy has found a divergence when it learnt of events
	ended    *strategy.Result
}

// mostQuestion is the size, in bytes, from which a question is sent although no answer is needed.
const mostQuestion = 1 << 16

func (a *asking) Name() string                       { return a.name }
func (*asking) Begin(strategy.Execution) bool        { return true }
func (a *asking) Exhaustive() bool                   { return a.exhaustive }
func (a *asking) SkipsForced() bool                  { return a.alone.SkipsForced }
func (a *asking) SwitchesAfter() bool                { return a.alone.SwitchesAfter }
func (a *asking) ObservesAsides() bool               { return a.alone.Asides }
func (a *asking) Next(c *strategy.Choice) int        { return a.choose(c, 0) }
func (a *asking) Pick(c *strategy.Choice, n int) int { return a.choose(c, n) }

// End sends what is left of a question: the strategy may find that this execution is not the one that it was.
func (a *asking) End(r strategy.Result) {
	a.ended = &r
	if len(a.question) > 0 && a.send() < 0 || a.diverged {
		panic(&strategy.DivergenceError{Strategy: a.name, Step: r.Steps, Was: "another choice", Is: "this one"})
	}
}

func (a *asking) choose(c *strategy.Choice, n int) int {
	a.question = wire.AppendChoice(a.question, c, n)
	if n == 0 && c.Len() == 1 && len(a.question) < mostQuestion {
		return 0
	}
	chosen := a.send()
	if chosen < 0 || a.diverged {
		panic(&strategy.DivergenceError{Strategy: a.name, Step: c.Step, Was: "another choice", Is: "this one"})
	}
	return chosen
}

// send sends what there is of a question, and returns the answer.
func (a *asking) send() int {
	chosen := a.ask(a.question)
	a.question = a.question[:0]
	return chosen
}

// observing is asking for a strategy that observes every event.
type observing struct{ *asking }

// Happened implements strategy.Observer.
func (o observing) Happened(e strategy.Event) {
	if o.question = wire.AppendEvent(o.question, &e); len(o.question) >= mostQuestion && o.send() < 0 {
		o.diverged = true
	}
}

// OnlySpawns implements strategy.SpawnObserver.
func (o observing) OnlySpawns() bool { return o.alone.OnlySpawns }

// Known implements strategy.Rerunner.
func (o observing) Known() int { return o.alone.Known }

// repeatFirst serves a request to settle, to replay or to debug a recording by the first execution of the process.
func (s *session) repeatFirst(x strategy.Execution, rec *recording.Recording, r wire.Request) wire.Answer {
	s.probed = true
	if r.Do == wire.Debug {
		return s.replayed(x, rec, s.Debug(x, rec, r.Step, say), r)
	}
	p := s.ReplayFirst(x, rec)
	if r.Do == wire.Replay {
		return s.replayed(x, rec, p, r)
	}
	like, _ := rec.Compare(recording.Repetition{Verdict: p.Verdict, Site: p.Result.Site(), Hash: p.Hash})
	if like == recording.NotReproduced || p.Schedule.Len() > mostDecisions {
		return s.unrepeatable(x, rec, p)
	}
	base := s.recordingOf(x, p.Result, p.Schedule)
	f := s.failureOf(x, p.Result, p.Schedule)
	out := s.report(x.Number, p.Result)
	out.Events, out.Scheduled = s.named(p.Events, p.Tasks), base.Tasks()
	alone := !p.Again()
	s.within(r.Within)
	out.Why = p.Why()
	show(f, out)
	if r.Timelines {
		f.Timelines = p.Timelines(out, base, s.named)
	}
	if alone {
		return wire.Answer{Kind: wire.Settled, Failure: f, Alone: true}
	}
	a := s.settle(x, base, p, r)
	if a.Kind == wire.Unrepeatable { // in this process: others say whether it is so as their first execution
		return wire.Answer{Kind: wire.Settled, Failure: f, Alone: true, Reason: a.Reason}
	}
	a.Base = f
	return a
}
