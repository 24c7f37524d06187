package suite

import (
	"context"
	"fmt"
	"strings"

	"github.com/rouse-go/rouse/chaos/explain"
	"github.com/rouse-go/rouse/chaos/goroot/wire"
	"github.com/rouse-go/rouse/chaos/verdict"
	"github.com/rouse-go/rouse/internal/shell"
	"github.com/rouse-go/rouse/stress/internal/outcome"
	"github.com/rouse-go/rouse/stress/internal/prose"
	"github.com/rouse-go/rouse/stress/internal/report"
)

// settle decides what the failure of a test is: it is repeated, shrunk and explained in another worker,
// and what comes of that must be repeatable in a third. Before anything else it is recorded.
func (sl *slot) settle(ctx context.Context, t *test) error {
	b := t.failed
	var err error
	switch {
	case sl.Native:
		err = sl.settleNative(ctx, t, b)
	case b.death != nil && b.death.hangs:
		t.hangs(b.death, sl.Timeout)
	case b.death != nil:
		err = sl.settleDeath(ctx, t, b)
	default:
		err = sl.settleFailure(ctx, t, b.answer.Failure)
	}
	if err != nil {
		return err
	}
	sl.mu.Lock()
	defer sl.mu.Unlock()
	sl.finish(t)
	return nil
}

// settleFailure settles a failure that a worker has reported.
func (sl *slot) settleFailure(ctx context.Context, t *test, found *wire.Failure) error {
	r := &t.result
	if found.Verdict == verdict.Uncontrolled || found.Verdict == verdict.Nondeterminism {
		t.uncontrolled(found.Execution, found.Summary)
		t.show(found)
		return nil
	}
	if found.Verdict == verdict.Timeout {
		what, _, _ := strings.Cut(found.Summary, ";")
		text := fmt.Sprintf("execution %d is too long to explore: %s; --max-steps allows more", found.Execution, what)
		if t.cuts > 1 {
			text += fmt.Sprintf("; %d of %d executions were explored up to there", t.cuts, r.Executions)
		}
		t.uncontrolled(found.Execution, text)
		r.Report, r.Endless = found.Report, true
		return nil
	}
	if sl.Unrecorded {
		return sl.settleUnrecorded(ctx, t, found)
	}
	file := sl.record(t, found)
	a, died, err := sl.ask(ctx, t, true, wire.Request{Do: wire.Settle, Recording: found.Recording, Attempts: sl.Attempts, Timelines: sl.Timelines}, ignore, nil)
	if err != nil {
		return err
	}
	why := ""
	switch {
	case died != nil:
		why = "while it was shrunk, " + died.what(sl.Timeout)
	case a.Kind == wire.Unrepeatable:
		why = a.Reason
	case a.Failure != nil:
		exact, differs, err := sl.repeats(ctx, t, a.Failure)
		if err != nil {
			return err
		}
		if exact != nil {
			t.fail(a.Failure, found)
			sl.keep(t, file, a.Failure)
			return nil
		}
		why = differs
	}
	if a.Kind != wire.Unrepeatable {
		exact, differs, err := sl.repeats(ctx, t, found)
		if err != nil {
			return err
		}
		if exact != nil {
			t.fail(exact, found)
			r.Notes = append(r.Notes, "not shrunk: "+why)
			sl.keep(t, file, found)
			return nil
		}
		why = differs
	}
	file.forget()
	t.uncontrolled(found.Execution, fmt.Sprintf("execution %d failed (%s: %s), and cannot be repeated: %s", found.Execution, found.Verdict, found.Summary, why))
	if a.Failure != nil {
		t.show(a.Failure)
	}
	return nil
}

// settleUnrecorded settles a failure that counts if it can be repeated, and is not shrunk.
func (sl *slot) settleUnrecorded(ctx context.Context, t *test, found *wire.Failure) error {
	exact, differs, err := sl.repeats(ctx, t, found)
	switch {
	case err != nil:
		return err
	case exact != nil:
		t.fail(exact, found)
	default:
		t.uncontrolled(found.Execution, fmt.Sprintf("execution %d failed (%s: %s), and cannot be repeated: %s", found.Execution, found.Verdict, found.Summary, differs))
	}
	return nil
}

func ignore(wire.Answer) {}

// repeats repeats the recording of a failure in a new worker. It returns the failure, or nil and what
// differs.
func (sl *slot) repeats(ctx context.Context, t *test, f *wire.Failure) (exact *wire.Failure, differs string, err error) {
	a, died, err := sl.ask(ctx, t, true, wire.Request{Do: wire.Replay, Recording: f.Recording, Timelines: sl.Timelines}, ignore, nil)
	switch {
	case err != nil:
		return nil, "", err
	case died != nil:
		return nil, "when it was repeated, " + died.what(sl.Timeout), nil
	case a.Likeness == likeExact && a.Failure != nil:
		return a.Failure, "", nil
	}
	return nil, a.Reason, nil
}

// How a repetition relates to its recording, in answers.
const (
	likeExact = "exact"
	likeSame  = "same-failure"
)

// fail makes the test one that has failed. found is the failure as it was found.
func (t *test) fail(f, found *wire.Failure) {
	r := &t.result
	r.Status, r.Verdict, r.Execution, r.Seed = report.TestFailed, f.Verdict, found.Execution, found.Seed
	r.Executions = max(r.Executions, 1) // the first in a process is not counted
	r.Strategy, r.Summary, r.Site = found.Strategy, f.Summary, f.Site
	t.show(f)
	if r.Report == "" {
		r.Report = strings.TrimRight(string(f.Verdict)+": "+f.Summary+"\n"+f.Output, "\n")
	}
}

// show makes the report of a failure that of the test.
func (t *test) show(f *wire.Failure) {
	t.result.Report, t.result.Page = shown(f)
	t.result.Timelines = timelinesOf(f)
}

// timelinesOf are those of a failure that has been shown, with sources; nil if there are none.
func timelinesOf(f *wire.Failure) *explain.Timelines {
	if f.Timelines != nil && f.Page != nil {
		WithSources(f.Timelines, f.Page.Objects)
	}
	return f.Timelines
}

// shown is the report of a failure for people, as text and as data, which is nil if there is only text.
func shown(f *wire.Failure) (text string, p *explain.Page) {
	if f.Page == nil {
		return f.Report, nil
	}
	ownRows(f.Page.Table)
	nameObjects(f.Page)
	f.Page.EachFile(prose.Relative)
	return f.Page.Text(0), f.Page
}

// uncontrolled makes the test one whose executions are not reproducible.
func (t *test) uncontrolled(execution int, why string) {
	r := &t.result
	r.Status, r.Verdict, r.Execution, r.Summary = report.TestUncontrolled, verdict.Uncontrolled, execution, why
	r.Executions = max(r.Executions, 1)
}

// hangs makes the test one that is outside of control, and reports where.
func (t *test) hangs(d *death, timeout fmt.Stringer) {
	h := hangOf(d.output)
	text := fmt.Sprintf("outside of control: no progress for %v in execution %d", timeout, d.number)
	if h.at != "" {
		text += ": " + h.at
	}
	t.uncontrolled(d.number, text)
	t.result.Report, t.result.Endless = h.report, true
}

// settleDeath settles a failure that has ended its process, which must end again in the same execution.
func (sl *slot) settleDeath(ctx context.Context, t *test, b *batch) error {
	d := b.death
	if d.number < b.from {
		t.uncontrolled(-1, d.what(sl.Timeout)+", before an execution began; --procs 1 does not run several processes of a package at a time")
		t.result.Report = d.output
		return nil
	}
	_, again, err := sl.ask(ctx, t, true, wire.Request{Do: wire.Explore, From: b.from, To: min(d.number+1, b.to)}, ignore, nil)
	if err != nil {
		return err
	}
	summary, explanation := outcome.PanicOf(d.output)
	if summary == "" {
		summary = d.what(sl.Timeout)
	}
	if again == nil || again.number != d.number || again.status != d.status {
		t.uncontrolled(d.number, fmt.Sprintf("in execution %d %s, and not when it was repeated", d.number, d.what(sl.Timeout)))
		t.result.Report = d.report()
		return nil
	}
	t.fail(&wire.Failure{
		Verdict: verdict.OfPanic(summary), Summary: summary, Report: strings.Join(append([]string{d.report()}, explanation...), "\n"),
	}, &wire.Failure{Execution: d.number, Seed: sl.Settings.Seed, Strategy: sl.Settings.Strategy})
	r := &t.result
	r.Notes = append(r.Notes, "there is no recording: the execution has ended its process")
	r.Reproduce = shell.Command(sl.words(t, sl.settingWords(d.number+1)...)...)
	return nil
}
