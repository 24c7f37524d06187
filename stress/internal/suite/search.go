package suite

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"runtime"
	"strings"
	"time"

	"github.com/rouse-go/rouse/chaos/goroot/wire"
	"github.com/rouse-go/rouse/chaos/recording"
	"github.com/rouse-go/rouse/chaos/verdict"
	"github.com/rouse-go/rouse/internal/shell"
	"github.com/rouse-go/rouse/stress/internal/outcome"
	"github.com/rouse-go/rouse/stress/internal/prose"
	"github.com/rouse-go/rouse/stress/internal/report"
)

// A search looks for a native failure of a test under control: it runs the same binary in workers that control
// it. Its executions are those of stress test with the seed of the native run.
type search struct {
	outcome.Search
	slot   // has workers of its own
	test   *test
	native verdict.Verdict
	budget outcome.SearchBudget
	start  time.Time
	found  *wire.Failure // shrunk if possible; nil if there is nothing to record
}

// searchFor searches under control for a native failure of a test, and reports the result. It records a failure
// that it finds beside the native one.
func (sl *slot) searchFor(ctx context.Context, t *test, native *wire.Failure) error {
	if sl.Search.Off() {
		return nil
	}
	s := sl.newSearch(t, native.Verdict)
	err := s.run(ctx)
	sl.mu.Lock()
	sl.searched += s.Took
	sl.mu.Unlock()
	if err != nil {
		return err
	}
	r := &t.result
	r.Search = &s.Search
	if s.found == nil {
		return nil
	}
	file := sl.record(t, s.found)
	if file.err != nil {
		s.Unshrunk = strings.TrimPrefix(fmt.Sprintf("%s; its recording cannot be written: %v", s.Unshrunk, file.err), "; ")
		return nil
	}
	s.Recording = prose.Relative(file.path)
	r.Reproduce = shell.Command(sl.words(t, "--replay", shell.File(s.Recording))...)
	text, page := shown(s.found)
	r.Controlled, r.Timelines = page, timelinesOf(s.found)
	if text != "" {
		r.Report = strings.TrimRight(r.Report, "\n") + report.UnderControl + text
	}
	return nil
}

// Search searches under control for the failure of a native recording. It returns the result of the search and the
// recording of the failure that it found, which is nil if there is none.
func (r *Repeater) Search(ctx context.Context) (*outcome.Search, *recording.Recording, error) {
	runtime.LockOSThread() // the workers end with the thread
	defer runtime.UnlockOSThread()
	r.Settings.Seed = r.rec.Campaign
	s := r.newSearch(r.test, r.rec.Verdict)
	if err := s.run(ctx); err != nil || s.found == nil {
		return &s.Search, nil, r.input(err)
	}
	found, err := recording.Parse("what was found", s.found.Recording)
	return &s.Search, found, err
}

// newSearch returns a search for a native failure with the given verdict.
func (sl *slot) newSearch(t *test, native verdict.Verdict) *search {
	program := *t.program
	program.setup.Native, program.env = false, sl.workerEnv(sl.overlay, false)
	program.setup.Start = cmp.Or(program.setup.Start, time.Now().UnixNano()) // a native recording has no start time
	sl.mu.Lock()
	defer sl.mu.Unlock()
	return &search{
		slot: slot{session: sl.session}, test: &test{program: &program, pkg: t.pkg, name: t.name, result: t.result}, native: native,
		budget: sl.Search.Within(sl.For, max(sl.For-time.Since(sl.first), 0), sl.searched), start: time.Now(),
	}
}

// run runs the search, and ends its worker.
func (s *search) run(ctx context.Context) error {
	defer func() {
		s.Took = time.Since(s.start)
		if s.worker != nil {
			s.worker.close()
		}
	}()
	err := s.batches(ctx)
	var refused *refusal
	if errors.As(err, &refused) { // the native failure counts in any case
		s.Problem = refused.reason
		return nil
	}
	return err
}

// batches runs batches until one fails as the test did natively, a problem ends the search, or the budget is used up.
func (s *search) batches(ctx context.Context) error {
	for from := 0; !s.budget.Over(from, s.start); from += batchSize {
		to := from + batchSize
		if s.budget.Executions > 0 {
			to = min(to, s.budget.Executions)
		}
		failed, err := s.batch(ctx, from, to)
		if errors.Is(err, errEnough) {
			return nil
		}
		if err != nil {
			return err
		}
		if failed != nil {
			if _, same := s.Take(s.native, failed.Verdict, failed.Summary, failed.Execution); !same {
				continue
			}
		}
		if failed != nil && failed.Recording != "" {
			return s.settle(ctx, failed)
		}
		if failed != nil || s.Problem != "" {
			return nil
		}
	}
	return nil
}

// batch runs a batch and returns its failure. It returns errEnough if the time was up before the batch ended.
func (s *search) batch(ctx context.Context, from, to int) (*wire.Failure, error) {
	enough := make(chan struct{})
	if s.budget.For > 0 {
		timer := time.AfterFunc(max(s.budget.For-time.Since(s.start), leastTime), func() { close(enough) })
		defer timer.Stop()
	}
	counted := func(a wire.Answer) { s.Executions += a.Counts.Executions }
	a, died, err := s.ask(ctx, s.test, false, wire.Request{Do: wire.Explore, From: from, To: to}, counted, enough)
	if err != nil {
		return nil, err
	}
	counted(a)
	switch {
	case died != nil && died.hangs:
		s.Problem = fmt.Sprintf("execution %d is outside of control: %s", died.number, died.what(s.Timeout))
		return nil, nil
	case died != nil:
		s.Executions += max(died.number-from+1, 0)
		return died.failure(&s.slot), nil
	case a.Skipped:
		s.Problem = "the test skips itself"
	case a.Differs == wire.DiffersInVerdict:
		s.Problem = "the first execution of a process differs from others"
		if a.Second != "" {
			s.Problem = "it fails when it runs a second time in a process: " + a.Second
		}
	case a.Exhausted != "":
		s.Problem = a.Exhausted
	case a.Kind == wire.Failed && outcome.Unexplored(a.Failure.Verdict):
		what, _, _ := strings.Cut(a.Failure.Summary, ";")
		s.Problem = fmt.Sprintf("execution %d is %s: %s", a.Failure.Execution, a.Failure.Verdict, what)
	case a.Kind == wire.Failed:
		s.Executions = max(s.Executions, a.Failure.Execution+1) // the first in a process is not counted
		return a.Failure, nil
	}
	return nil, nil
}

// leastTime is the time that a search, or the repetition of recordings, may always take, because a worker has to
// start.
const leastTime = time.Second

// settle shrinks the failure that was found. If that cannot be repeated exactly, the search has failed.
func (s *search) settle(ctx context.Context, found *wire.Failure) error {
	limited, cancel := s.budget.Shrinking(ctx)
	defer cancel()
	a, died, err := s.ask(limited, s.test, true, wire.Request{Do: wire.Settle, Recording: found.Recording, First: true, Attempts: s.Attempts, Timelines: s.Timelines}, ignore, nil)
	switch {
	case ctx.Err() != nil:
		return context.Cause(ctx)
	case err != nil && limited.Err() != nil:
		s.Unshrunk = "the time was up"
	case err != nil:
		return err
	case died != nil:
		s.Unshrunk = died.what(s.Timeout)
	case a.Kind == wire.Unrepeatable:
		s.Reproduced = false
		s.Problem = "what was found cannot be repeated: " + a.Reason
		return nil
	case a.Failure == nil:
		s.Unshrunk = a.Reason
	default:
		found = a.Failure
	}
	exact, differs, err := s.repeats(ctx, s.test, found, true)
	if err != nil {
		return err
	}
	if exact == nil {
		s.Reproduced, s.Unshrunk = false, ""
		s.Problem = "what was found cannot be repeated: " + differs
		return nil
	}
	s.found = found
	rec, err := recording.Parse("what was found", found.Recording)
	if err == nil {
		s.Decisions = len(rec.Entries)
	}
	return err
}
