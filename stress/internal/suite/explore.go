package suite

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/rouse-go/rouse/chaos/goroot/wire"
	"github.com/rouse-go/rouse/chaos/verdict"
	"github.com/rouse-go/rouse/internal/evidence"
	"github.com/rouse-go/rouse/internal/process"
	"github.com/rouse-go/rouse/stress/internal/prose"
	"github.com/rouse-go/rouse/stress/internal/report"
)

// CannotList begins the problem reported for a package whose test binary ends before it lists its tests.
const CannotList = "its tests cannot be listed"

// withoutRun is reported for a package whose TestMain exits with code 0 without calling M.Run: nothing was tested,
// and go test does not report that.
const withoutRun = "TestMain does not run the tests"

// testsOf builds a package and returns its tests. If it has none to run, it returns one entry that reports on the
// package.
func (s *session) testsOf(ctx context.Context, b *builder, p *listed) ([]*test, error) {
	instead := func(without, problem string) ([]*test, error) {
		return []*test{{stage: done, what: &report.PackageReport{Package: p.ImportPath, Without: without, Problem: problem}}}, nil
	}
	if !p.tested() && p.Error != nil {
		return instead("", p.Error.Err)
	}
	if !p.tested() {
		return instead("no test files", "")
	}
	binary, problem, err := s.build(ctx, p)
	switch {
	case err != nil:
		return nil, err
	case problem != "":
		return instead("", problem)
	case binary == "":
		return instead("no test files", "")
	}
	program := b.program(binary, p, s.start.UnixNano())
	if tests := s.passedBefore(p, program); tests != nil {
		return tests, nil
	}
	w, err := program.start(ctx, &s.Options)
	var disturbed *disturbance
	if errors.As(err, &disturbed) {
		return instead("", CannotList+": "+disturbed.what)
	}
	if err != nil {
		return nil, err
	}
	defer w.close()
	a, err := w.ask(ctx, wire.Request{Do: wire.List, Settings: s.Settings}, func(wire.Answer) {}, nil)
	var d *death
	switch {
	case errors.As(err, &disturbed):
		return instead("", CannotList+": "+disturbed.what)
	case errors.As(err, &d) && d.code == 0 && !d.hangs:
		if s.UncontrolledFails {
			return []*test{{stage: done, what: &report.PackageReport{Package: p.ImportPath, Problem: withoutRun, Unrun: true}}}, nil
		}
		return instead(withoutRun, "")
	case errors.As(err, &d):
		return instead("", fmt.Sprintf(CannotList+": %s\n%s", d.what(s.Timeout), d.output))
	case err != nil:
		return nil, err
	case a.Kind != wire.Listed:
		return instead("", CannotList+": "+a.Reason)
	case len(a.Tests) == 0:
		return instead(noneSelected, "")
	}
	places := p.declarations()
	var tests []*test
	if len(a.Notes) > 0 {
		tests = append(tests, &test{pkg: p, stage: done, what: &report.PackageReport{Package: p.ImportPath, Notes: a.Notes}})
	}
	for _, name := range a.Tests {
		tests = append(tests, newTest(program, p, name, places[name], &s.Options, s.whole))
	}
	return tests, nil
}

// open begins a test. It first repeats the failures that earlier runs have recorded.
func (sl *slot) open(ctx context.Context, t *test) error {
	failed, err := sl.repeatEarlier(ctx, t)
	if err != nil {
		return err
	}
	s := sl.session
	s.mu.Lock()
	defer s.mu.Unlock()
	if failed {
		s.finish(t)
		return nil
	}
	t.stage = exploring
	s.changed.Broadcast()
	return nil
}

// explore runs a batch.
func (sl *slot) explore(ctx context.Context, t *test, b *batch) error {
	s := sl.session
	progressed := func(a wire.Answer) {
		b.add(a.Counts)
		s.mu.Lock()
		t.seen += a.Counts.Executions
		s.mu.Unlock()
	}
	answer, death, err := sl.executions(ctx, t, b, progressed)
	var refused *refusal
	if err != nil && !errors.As(err, &refused) && !errors.Is(err, errEnough) {
		return err
	}
	progressed(answer)
	s.mu.Lock()
	defer s.mu.Unlock()
	b.answer, b.death, b.refused = answer, death, refused // counts if no earlier batch has failed
	t.add(b)
	switch {
	case t.stage == done || t.explored(time.Now()):
		s.finish(t)
	case t.stage == failing:
		s.changed.Broadcast()
	}
	return nil
}

// rest returns the execution from which another process continues the batch, given the answer of a process that
// began with from, and whether it does: after an execution that was cut, or if the process is left in a state that
// makes others fail.
func (b *batch) rest(t *test, a *wire.Answer, d *death, from int) (next int, more bool) {
	if d != nil || t.whole {
		return 0, false
	}
	switch a.Kind {
	case wire.Failed:
		next = a.Next + 1
		more = a.Failure.Verdict == verdict.Timeout && !wire.TooManyCut(b.counts.Cut+a.Counts.Cut, b.counts.Executions+a.Counts.Executions)
	case wire.Explored:
		next = a.Next
		more = !a.Skipped && a.Exhausted == "" && from < next
	}
	return next, more && next < b.to
}

// executions runs the executions of a batch: in one process, or all or some of them in a process of their own each.
func (sl *slot) executions(ctx context.Context, t *test, b *batch, progressed func(wire.Answer)) (a wire.Answer, d *death, err error) {
	sl.mu.Lock()
	alone := t.alone
	sl.mu.Unlock()
	if !alone {
		var notes []string
		for from, more := b.from, true; more; {
			a, d, err = sl.ask(ctx, t, false, wire.Request{Do: wire.Explore, From: from, To: b.to}, progressed, b.enough)
			notes = append(notes, a.Notes...)
			a.Notes = notes
			if from, more = b.rest(t, &a, d, from); err != nil {
				more = false
			} else if more {
				progressed(a)
			}
		}
		switch {
		case err != nil || d != nil || a.Kind != wire.Explored || a.Skipped:
			return a, d, err
		case a.Differs == wire.DiffersInTrace || a.Differs == wire.DiffersInVariables:
			progressed(a)
			notes := a.Notes
			a, d, err = sl.runAlone(ctx, t, b, newStrategies(sl.Settings.Strategy), a.Differs, progressed)
			a.Notes = append(notes, a.Notes...)
			return a, d, err
		case sl.claims(b, &a) && b.counts.Executions+a.Counts.Executions <= wire.MostAgain:
			sl.mu.Lock()
			t.seen -= b.counts.Executions
			sl.mu.Unlock()
			b.counts = wire.Counts{}
			b.by = newStrategies(cmp.Or(a.By, sl.Settings.Strategy))
		case a.Differs != wire.DiffersInVerdict:
			return a, d, err
		default:
			progressed(a)
		}
		sl.mu.Lock()
		t.alone, t.second = true, a.Second // every worker finds the same
		sl.mu.Unlock()
	}
	if b.by == nil {
		b.by = newStrategies(sl.Settings.Strategy)
	}
	return sl.runAlone(ctx, t, b, b.by, wire.DiffersInVerdict, progressed)
}

// claims reports whether a batch that shared a process and got answer a claims to have explored everything.
func (sl *slot) claims(b *batch, a *wire.Answer) bool {
	var counts evidence.Counts
	counts.Add(&b.counts.Evidence)
	counts.Add(&a.Counts.Evidence)
	return strings.Contains(counts.Complete(a.Exhausted, sl.Build.Race, true), evidence.All)
}

// add adds the counts of an answer.
func (b *batch) add(c wire.Counts) {
	b.counts.Executions += c.Executions
	b.counts.Alone += c.Alone
	b.counts.Steps += c.Steps
	b.counts.Traces += c.Traces
	b.counts.Cut += c.Cut
	b.counts.Orders = append(b.counts.Orders, c.Orders...)
	b.counts.Evidence.Add(&c.Evidence)
}

// what describes in one line how a worker ended.
func (d *death) what(timeout fmt.Stringer) string {
	if d.hangs {
		return fmt.Sprintf("no progress for %v", timeout) + d.byStop()
	}
	if d.memory > 0 {
		return "the process used more than " + prose.Bytes(d.memory) + " of memory"
	}
	return "the process ended: " + d.status
}

// outside describes the end of a worker outside of an execution. TestMain may have ended it, or something that it
// shares with other processes.
func (d *death) outside(o *Options) string {
	if d.after >= 0 {
		return fmt.Sprintf("%s, after execution %d had ended", d.what(o.Timeout), d.after)
	}
	text := d.what(o.Timeout) + ", before an execution began"
	if o.Procs > 1 {
		text += "; --procs 1 does not run several processes of a package at a time"
	}
	return text
}

// byStop returns process.ByStop if a signal had stopped the process, which then made no progress, and "" otherwise.
func (d *death) byStop() string {
	if d.stopped {
		return process.ByStop
	}
	return ""
}
