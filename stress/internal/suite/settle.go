package suite

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/rouse-go/rouse/chaos/explain"
	"github.com/rouse-go/rouse/chaos/goroot/wire"
	"github.com/rouse-go/rouse/chaos/verdict"
	"github.com/rouse-go/rouse/internal/shell"
	"github.com/rouse-go/rouse/stress/internal/outcome"
	"github.com/rouse-go/rouse/stress/internal/prose"
	"github.com/rouse-go/rouse/stress/internal/report"
)

// settle decides what the failure of a test is. The failure is recorded first; then another worker repeats,
// shrinks and explains it, and a third must be able to repeat the result.
func (sl *slot) settle(ctx context.Context, t *test) error {
	b := t.failed
	t.reached = max(t.reached, b.reached())
	var err error
	switch {
	case b.refused != nil:
		t.refused(b.refused)
	case sl.Native:
		err = sl.settleNative(ctx, t, b)
	case b.death != nil && b.death.hangs:
		t.hangs(b.death, sl.Timeout)
	case b.death != nil:
		err = sl.settleDeath(ctx, t, b)
	default:
		err = sl.settleFailure(ctx, t, b)
	}
	if err != nil {
		return err
	}
	sl.mu.Lock()
	defer sl.mu.Unlock()
	if t.stage == exploring { // exploration continues: see again
		if t.explored(time.Now()) {
			sl.finish(t)
		}
		sl.changed.Broadcast()
		return nil
	}
	sl.finish(t)
	return nil
}

// settleFailure settles a failure that a worker has reported. It counts if the first execution of a process
// reproduces it, twice in the same way.
func (sl *slot) settleFailure(ctx context.Context, t *test, b *batch) error {
	found := b.answer.Failure
	switch {
	case found.Real && b.by == nil && !t.whole:
		t.unrepeated.add(found.Execution, true, found.Summary, found, found)
		sl.runsAlone(t, b, &doubt{execution: found.Execution, failure: found, what: found.Summary})
		return nil
	case found.Real && b.by != nil:
		sl.unrepeatable(t, b, found.Execution, true, found.Summary, found, found)
		return nil
	case found.Verdict == verdict.Uncontrolled && found.Differed && b.by == nil:
		sl.runsAlone(t, b, &doubt{execution: found.Execution, failure: found, what: found.Summary})
		return nil
	case found.Verdict == verdict.Uncontrolled && found.Differed && b.by != nil:
		why, shown := fmt.Sprintf("execution %d: %s", found.Execution, found.Summary), found
		if d := t.doubt; d != nil && d.failure != nil && d.failure.Differed { // its report has the operations
			why, shown = d.what, d.failure
		}
		sl.unrepeatable(t, b, found.Execution, found.Fails, why, nil, shown)
		return nil
	case found.Verdict == verdict.Uncontrolled || found.Verdict == verdict.Nondeterminism:
		t.uncontrolled(found.Execution, found.Summary)
		t.show(found)
		return nil
	case found.Verdict == verdict.Timeout:
		what, _, _ := strings.Cut(found.Summary, ";")
		t.tally()
		text := fmt.Sprintf("execution %d is too long to explore: %s; --max-steps allows more", found.Execution, what)
		if t.cuts > 1 {
			text += fmt.Sprintf("; %d of %d executions were explored up to there", t.cuts, max(t.cuts, t.result.Executions)) // t.result has not counted those of a failing batch
		}
		t.uncontrolled(found.Execution, text)
		t.result.Executions = max(t.result.Executions, t.cuts)
		t.result.Report, t.result.Endless = found.Report, true
		return nil
	}
	what := fmt.Sprintf("%s: %s", found.Verdict, found.Summary)
	failed := fmt.Sprintf("execution %d failed (%s), and cannot be repeated", found.Execution, what)
	if b.by != nil && t.unrepeated.isKnown(found) {
		sl.unrepeatable(t, b, found.Execution, true, failed, found, nil)
		return nil
	}
	file := &kept{err: errUnrecorded}
	if !sl.Unrecorded {
		file = sl.record(t, found)
	}
	s, err := sl.settled(ctx, t, found)
	var refused *refusal
	switch {
	case errors.As(err, &refused) && refused.answered: // such as a recording of an execution that is no longer possible: other tests are not affected
		s = settlement{differs: refused.reason}
	case errors.As(err, &refused):
		file.forget()
		refused.reason = failed + ": " + refused.reason
		return refused
	case err != nil:
		return err
	}
	if s.failure != nil {
		t.fail(s.failure, found)
		if s.unshrunk != "" {
			t.result.Notes = append(t.result.Notes, "not shrunk: "+s.unshrunk)
		} else if s.cut {
			t.result.Notes = append(t.result.Notes, endedShrinking)
		}
		if s.hidden > 0 {
			t.result.Notes = append(t.result.Notes, fmt.Sprintf("%d of its repetitions ended before, in a failure that does not repeat", s.hidden))
		}
		if !sl.Unrecorded {
			sl.keep(t, file, s.failure)
		}
		return nil
	}
	file.forget()
	why := failed + ": " + s.differs
	if b.by != nil {
		sl.unrepeatable(t, b, found.Execution, true, why, found, s.shown)
		return nil
	}
	if !s.repeats {
		t.unrepeated.add(found.Execution, true, why, found, s.shown)
	}
	sl.runsAlone(t, b, &doubt{execution: found.Execution, failure: found, what: what, repeats: s.repeats})
	return nil
}

// errUnrecorded stands for the write error of a failure that is not to be recorded.
var errUnrecorded = errors.New("not recorded")

// A settlement is the result of settling a failure.
type settlement struct {
	failure  *wire.Failure // the failure that counts; nil if none does
	unshrunk string        // why failure is not shrunk; "" if it is
	cut      bool          // shrinking ran out of time, so failure may not be minimal
	hidden   int           // inconclusive repetitions: see unrepeated.hides
	// Without a failure, differs is what differs, and repeats reports whether it fails exactly as found in a process
	// in which the test has run before.
	differs string
	repeats bool
	shown   *wire.Failure
	instead *wire.Failure // the other failure in which the repetition before shrinking ended; nil if it passed
}

const (
	// fewestExact is how many processes must repeat a failure exactly. mostExact is how many if something uncontrolled
	// may take part in it: even a coin falls the same way a few times.
	fewestExact = 2
	mostExact   = 8
	// mostHidden is how many inconclusive repetitions are allowed for each exact one.
	mostHidden = 3
	// mostSettled is how many times shrinking is tried for a failure that has been repeated, if others hide it.
	mostSettled = 3
)

// settled repeats a failure as the first execution of other processes and shrinks it.
func (sl *slot) settled(ctx context.Context, t *test, found *wire.Failure) (s settlement, err error) {
	if found.First && t.unrepeated.any() {
		return sl.settledDoubtful(ctx, t, found)
	}
	if sl.Unrecorded {
		times := 1
		if found.Outside {
			times = mostExact
		}
		c, err := sl.confirm(ctx, t, found, times, likeExact, true)
		s.failure, s.differs, s.shown = c.last, c.differs, c.shown
		if err != nil || s.failure != nil || found.First {
			return s, err
		}
		exact, _, err := sl.repeats(ctx, t, found, false)
		s.repeats = exact != nil
		return s, err
	}
	if s, err = sl.settledFirst(ctx, t, found); err != nil || s.failure != nil || found.First {
		return s, err
	}
	// The schedule may depend on operations that differ in the first execution of a process. A shrunk schedule has
	// few of them.
	a, died, err := sl.ask(ctx, t, true, sl.shrinking(t, found, false), ignore, nil)
	if err != nil || died != nil || a.Kind != wire.Settled || a.Failure == nil {
		if a.Reason != "" {
			s.differs = a.Reason
		}
		return s, err
	}
	exact, differs, err := sl.repeats(ctx, t, a.Failure, false)
	if err != nil || exact == nil {
		if s.repeats = false; differs != "" {
			s.differs = differs
		}
		return s, err
	}
	as, err := sl.settledFirst(ctx, t, a.Failure)
	if as.failure != nil {
		return as, err
	}
	s.repeats = true
	return s, err
}

// settledDoubtful is settled for a test with earlier failures that did not repeat. The failure is therefore
// repeated before it is shrunk, which costs more.
func (sl *slot) settledDoubtful(ctx context.Context, t *test, found *wire.Failure) (s settlement, err error) {
	alike, err := sl.confirm(ctx, t, found, t.unrepeated.exactly(found), likeSame, true)
	if s.differs, s.shown = alike.differs, alike.shown; err != nil || alike.last == nil {
		return s, err
	}
	hidden, again := alike.hidden, !sl.Unrecorded
	for n := 0; n < mostSettled && again; n++ {
		if s, err = sl.settledFirst(ctx, t, found); err != nil {
			return s, err
		}
		hidden += s.hidden
		if again = s.failure == nil && t.unrepeated.hides(found, s.instead); s.failure == nil && !again {
			return s, nil
		}
	}
	if s.failure == nil && alike.exact { // unshrunk: it has been repeated, and must be once more
		once, err := sl.confirm(ctx, t, found, 1, likeExact, sl.Unrecorded)
		if err != nil {
			return s, err
		}
		if s.unshrunk = shorterDiffers; once.last == nil {
			s.differs, s.shown = once.differs, once.shown
		}
		s.failure = once.last
		hidden += once.hidden
	}
	s.hidden = hidden
	return s, nil
}

// settledFirst is settled for the first execution of a process.
func (sl *slot) settledFirst(ctx context.Context, t *test, found *wire.Failure) (s settlement, err error) {
	a, died, err := sl.ask(ctx, t, true, sl.shrinking(t, found, true), ignore, nil)
	times := t.unrepeated.exactly(found)
	var candidates []*wire.Failure
	switch {
	case err != nil:
		return s, err
	case died != nil:
		s.unshrunk, s.differs = "while it was shrunk, "+died.what(sl.Timeout), died.what(sl.Timeout)
		candidates = []*wire.Failure{found}
	case a.Kind != wire.Settled || a.Failure == nil:
		s.differs, s.shown, s.instead = a.Reason, a.Failure, a.Instead
		return s, nil
	case a.Alone:
		shrunk, cut, err := sl.shrinkAlone(ctx, t, a.Failure)
		if a.Cut = cut; err != nil {
			return s, err
		}
		if a.Reason != "" { // an execution took another way
			times = max(times, mostExact)
		}
		candidates = []*wire.Failure{shrunk, a.Failure}
	default:
		candidates = []*wire.Failure{a.Failure, a.Base}
	}
	for _, f := range candidates {
		if f == nil {
			continue
		}
		c, err := sl.confirm(ctx, t, f, times, likeExact, true)
		if err != nil {
			return s, err
		}
		if s.hidden += c.hidden; c.last != nil {
			s.failure, s.cut = f, a.Cut
			return s, nil
		}
		s.unshrunk, s.differs, s.shown = shorterDiffers, c.differs, c.shown
		times = max(times, mostExact) // something has differed, so that two may agree by chance
	}
	return s, nil
}

// shrinking returns the request to repeat a failure of a test, to shrink it and to explain it.
func (sl *slot) shrinking(t *test, f *wire.Failure, first bool) wire.Request {
	return wire.Request{Do: wire.Settle, Recording: f.Recording, First: first, Attempts: sl.Attempts, Within: sl.within(t), Timelines: sl.Timelines}
}

// endedShrinking is the note on a failure that might be shrunk further.
const endedShrinking = "shrinking ended with the time of the run; stress shrink goes on with the recording"

// shrinkPart divides the time of a run: shrinking a failure may always take that part.
const shrinkPart = 10

// within returns how long shrinking a failure of a test may take in a run that is bounded by time: what is left of the
// test's time, but at least For/shrinkPart and leastTime. 0 is no bound.
func (sl *slot) within(t *test) time.Duration {
	if sl.shrinks > 0 || t.until.IsZero() {
		return sl.shrinks
	}
	return max(time.Until(t.until), sl.For/shrinkPart, leastTime)
}

// shorterDiffers is why a failure that repeats is not shrunk. How the shorter schedule differs is left out, because
// that schedule is not reported.
const shorterDiffers = "shorter schedules of it do not repeat"

// A confirmation is the result of repeating a failure in several processes.
type confirmation struct {
	last    *wire.Failure // the last repetition; nil if one differs
	exact   bool          // all repetitions were exact
	hidden  int           // inconclusive repetitions: see unrepeated.hides
	differs string
	shown   *wire.Failure // describes what differs; nil if that is not known
}

// confirm repeats a failure as the first execution of new processes until the given number of repetitions are exact or
// have the likeness like, or one differs. If brief, the repetitions are not explained.
func (sl *slot) confirm(ctx context.Context, t *test, f *wire.Failure, times int, like string, brief bool) (c confirmation, err error) {
	c.exact = true
	for n := 0; n < times; {
		a, differs, err := sl.repetition(ctx, t, f, true, brief)
		if err != nil {
			return c, err
		}
		switch exact := a.Likeness == likeExact && a.Failure != nil; {
		case exact || a.Failure != nil && a.Likeness == like:
			c.last, c.exact = a.Failure, c.exact && exact
			n++
		case t.unrepeated.hides(f, a.Failure) && c.hidden < mostHidden*times:
			c.hidden++
		default:
			c.last, c.exact, c.differs = nil, false, differs
			if a.Outside != "" {
				c.shown = &wire.Failure{Report: fmt.Sprintf("%s in execution %d (%s): %s\n\nit did not repeat in another process: %s\n%s",
					f.Verdict, f.Execution, f.Strategy, f.Summary, differs, a.Outside)}
			}
			return c, nil
		}
	}
	return c, nil
}

func ignore(wire.Answer) {}

// repeats repeats the recording of a failure in a new worker, as its first execution if first, and otherwise as the
// recording asks. It returns the failure, without an explanation, or nil and what differs.
func (sl *slot) repeats(ctx context.Context, t *test, f *wire.Failure, first bool) (exact *wire.Failure, differs string, err error) {
	a, differs, err := sl.repetition(ctx, t, f, first, true)
	if err == nil && a.Likeness == likeExact && a.Failure != nil {
		return a.Failure, "", nil
	}
	return nil, differs, err
}

// repetition is like repeats, but returns the answer of the worker, which is empty if the worker died.
func (sl *slot) repetition(ctx context.Context, t *test, f *wire.Failure, first, brief bool) (a wire.Answer, differs string, err error) {
	a, died, err := sl.ask(ctx, t, true, wire.Request{Do: wire.Replay, Recording: f.Recording, First: first, Brief: brief, Timelines: !brief && sl.Timelines}, ignore, nil)
	switch {
	case err != nil:
		return wire.Answer{}, "", err
	case died != nil:
		return wire.Answer{}, "when it was repeated, " + died.what(sl.Timeout), nil
	}
	return a, a.Reason, nil
}

// Values of wire.Answer.Likeness: how a repetition compares with its recording.
const (
	likeExact = "exact"
	likeSame  = "same-failure"
)

// fail marks the test as failed. found is the failure as it was found.
func (t *test) fail(f, found *wire.Failure) {
	t.tally()
	r := &t.result
	r.Status, r.Verdict, r.Execution, r.Seed = report.TestFailed, f.Verdict, found.Execution, found.Seed
	r.Strategy, r.Summary, r.Site = found.Strategy, f.Summary, f.Site
	t.show(f)
	if r.Report == "" {
		r.Report = strings.TrimRight(string(f.Verdict)+": "+f.Summary+"\n"+f.Output, "\n")
	}
}

// show sets the report of the test to that of a failure.
func (t *test) show(f *wire.Failure) {
	t.result.Report, t.result.Page = shown(f)
	t.result.Timelines = timelinesOf(f)
}

// timelinesOf returns the timelines of a failure that has been shown, with sources. They may be nil.
func timelinesOf(f *wire.Failure) *explain.Timelines {
	if f.Timelines != nil && f.Page != nil {
		WithSources(f.Timelines, f.Page.Objects)
	}
	return f.Timelines
}

// shown returns the report of a failure for people, as text and as data. The data is nil if there is only text.
func shown(f *wire.Failure) (text string, p *explain.Page) {
	if f.Page == nil {
		return f.Report, nil
	}
	ownRows(f.Page.Table)
	nameObjects(f.Page)
	f.Page.EachFile(prose.Relative)
	return f.Page.Text(0), f.Page
}

// uncontrolled marks the test as one whose executions are not reproducible.
func (t *test) uncontrolled(execution int, why string) {
	t.tally()
	r := &t.result
	r.Status, r.Verdict, r.Execution, r.Summary = report.TestUncontrolled, verdict.Uncontrolled, execution, why
}

// refused marks the test as one that cannot be explored, for a reason of its own. The run fails, whatever the test
// would have found.
func (t *test) refused(why *refusal) {
	t.uncontrolled(-1, why.reason)
	t.result.Broken = true
	if d := why.death; d != nil {
		t.result.Report, t.result.Endless = d.report(), d.hangs
	}
}

// hangs marks the test as outside of control, and reports where it hangs.
func (t *test) hangs(d *death, timeout fmt.Stringer) {
	h := hangOf(d.output)
	text := fmt.Sprintf("outside of control: no progress for %v in execution %d", timeout, d.number) + d.byStop()
	if h.at != "" {
		text += ": " + h.at
	}
	t.uncontrolled(d.number, text)
	t.result.Report, t.result.Endless = h.report, true
}

// settleDeath settles a failure that ended its process. Another process must end in the same execution.
func (sl *slot) settleDeath(ctx context.Context, t *test, b *batch) error {
	d := b.death
	if d.number < b.from || d.number >= b.to {
		t.refused(&refusal{reason: d.what(sl.Timeout) + ", and its number of the execution is not one of those that were to run", death: d})
		return nil
	}
	r := wire.Request{Do: wire.Explore, From: b.from, To: min(d.number+1, b.to)}
	if b.by != nil {
		r.From, r.Alone = d.number, b.by.alone
		sl.choose = b.by.again()
	}
	_, again, err := sl.ask(ctx, t, true, r, ignore, nil)
	sl.choose = nil
	if err != nil {
		return err
	}
	summary, explanation := outcome.PanicOf(d.output)
	if summary == "" {
		summary = d.what(sl.Timeout)
	}
	repeats := again != nil && again.number == d.number && again.status == d.status
	why := fmt.Sprintf("in execution %d %s, and not when it was repeated", d.number, d.what(sl.Timeout))
	if b.by == nil {
		if !repeats {
			t.unrepeated.add(d.number, true, why, nil, nil)
		}
		sl.runsAlone(t, b, &doubt{execution: d.number, what: fmt.Sprintf("%s (%s)", d.what(sl.Timeout), summary), repeats: repeats})
		return nil
	}
	if !repeats {
		sl.unrepeatable(t, b, d.number, true, why, nil, &wire.Failure{Report: d.report()})
		return nil
	}
	t.fail(&wire.Failure{
		Verdict: verdict.OfPanic(summary), Summary: summary, Report: strings.Join(append([]string{d.report()}, explanation...), "\n"),
	}, &wire.Failure{Execution: d.number, Seed: sl.Settings.Seed, Strategy: b.by.name})
	result := &t.result
	result.Notes = append(result.Notes, "there is no recording: the execution has ended its process")
	result.Reproduce = shell.Command(sl.words(t, sl.settingWords(b.by.name, d.number+1)...)...)
	return nil
}
