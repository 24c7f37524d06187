package run

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/rouse-go/rouse/chaos/explain"
	"github.com/rouse-go/rouse/chaos/recording"
	"github.com/rouse-go/rouse/chaos/verdict"
	"github.com/rouse-go/rouse/internal/explore"
	"github.com/rouse-go/rouse/stress/internal/outcome"
)

// A Try is one repetition of a recorded execution.
type Try struct {
	recording.Repetition
	Summary string               // "" if the verdict is Pass
	Faults  []outcome.FaultCount // for a native execution, in the order of the plan; nil if its process crashed
}

// A ReplayReport holds the tries to repeat an execution.
type ReplayReport struct {
	Recording *Recording
	Tries     []Try // the tries that ended, in order
}

// Exact counts the tries that had the recorded trace. It is 0 for a native execution.
func (r *ReplayReport) Exact() int { return r.atLeast(recording.Exact) }

// Reproduced counts the tries that failed as recorded, with any trace.
func (r *ReplayReport) Reproduced() int { return r.atLeast(recording.SameFailure) }

func (r *ReplayReport) atLeast(least recording.Likeness) (n int) {
	for _, t := range r.Tries {
		if likeness, _ := r.Recording.Compare(t.Repetition); likeness >= least {
			n++
		}
	}
	return n
}

// String describes how many tries failed as recorded, and how many otherwise.
func (r *ReplayReport) String() string {
	exact, n, v := r.Exact(), r.Reproduced(), r.Recording.Verdict
	if r.Recording.Kind == recording.Controlled {
		s := fmt.Sprintf("%d of %d tries reproduced %s, with equal trace hash %016x", exact, len(r.Tries), v, r.Recording.Hash)
		if n > exact {
			s += fmt.Sprintf("; %d failed as recorded, by another trace", n-exact)
		}
		return s
	}
	s := fmt.Sprintf("%d of %d tries failed again with verdict %s", n, len(r.Tries), v)
	var others []string
	for _, other := range verdict.All() {
		n := 0
		for _, t := range r.Tries {
			if t.Verdict == other && other != v {
				n++
			}
		}
		if n > 0 {
			others = append(others, fmt.Sprintf("%d %s", n, other))
		}
	}
	if len(others) > 0 {
		s += " (" + strings.Join(others, ", ") + ")"
	}
	return s
}

// Unreached lists the faults that fired in the recorded native execution, but whose points no try
// has reached.
func (r *ReplayReport) Unreached() (faults []recording.FaultCount) {
	for i, f := range r.Recording.Faults {
		reached := f.Fires == 0 || slices.ContainsFunc(r.Tries, func(t Try) bool {
			return i >= len(t.Faults) || t.Faults[i].Hits > 0 // one that crashed may have reached it
		})
		if !reached {
			faults = append(faults, f)
		}
	}
	return faults
}

// Replay repeats the recorded execution of a scenario, and calls each, if it is not nil, after every
// try. A controlled execution is repeated exactly, in one child process. A native one is run again, each
// time in a new child process, with the recorded seed and GOMAXPROCS. The seed determines the
// workload and the plan's draws at every visit, but not the interleaving, so it need not fail again.
//
// The program must call ChildMain first thing in main. If ctx is done, Replay returns what was tried
// until then and context.Cause(ctx).
func (r *Recording) Replay(ctx context.Context, times int, each func(Try)) (ReplayReport, error) {
	report := ReplayReport{Recording: r}
	add := func(t Try) {
		report.Tries = append(report.Tries, t)
		if each != nil {
			each(t)
		}
	}
	if r.Kind == recording.Controlled {
		err := r.inChild(ctx, repeatRequest{Times: times}, func(m *Message) {
			if m.Try != nil {
				add(*m.Try)
			}
		})
		return report, err
	}
	if os.Getenv(ChildEnv) != "" {
		return report, ErrNoChildMain
	}
	l := Launcher{MaxProcs: r.MaxProcs}
	for range times {
		t, err := l.try(ctx, r)
		if err != nil {
			return report, err
		}
		add(t)
	}
	return report, nil
}

// try runs a native execution once.
func (l Launcher) try(ctx context.Context, r *Recording) (Try, error) {
	if err := context.Cause(ctx); err != nil {
		return Try{}, err
	}
	var got *outcome.Result
	end, err := l.Run(ctx, Request{
		Scenario: *r.Scenario, CampaignSeed: r.Campaign, First: r.Execution, Most: 1,
	}, func(m *Message) error {
		if m.Result != nil {
			got = m.Result
		}
		return nil
	}, func() {})
	if err == nil && got == nil {
		got, err = end.Judge(l.ChildTimeout())
	}
	switch {
	case err != nil:
		return Try{}, err
	case got == nil:
		return Try{}, errors.New("a child process ended without a result")
	}
	return Try{recording.Repetition{Verdict: got.Verdict}, got.Summary, got.Faults}, nil
}

// An Explanation explains the execution of a recording to people.
type Explanation struct {
	Result outcome.Result // under control its Events are a table with a column for each task
	// Schedule has comments with the place of each decision. It is nil for a native execution.
	Schedule *recording.Recording
	// Gone lists the entries that no longer applied.
	Gone []string
	// Page and Timelines are set by ExplainPage: the execution as data, without sources. They are nil for a native one.
	Page      *explain.Page
	Timelines *explain.Timelines
}

// Explain repeats the recorded execution of a controlled scenario, with the requirements of Replay. For
// a native execution it returns the recorded data.
func (r *Recording) Explain(ctx context.Context) (*Explanation, error) {
	if r.Kind == recording.Native {
		return &Explanation{Result: outcome.Result{
			Execution: r.Execution, Seed: r.Seed, Verdict: r.Verdict, Summary: r.Summary, Explanation: r.Explanation,
			State: r.State, Goroutines: r.Goroutines, Events: r.Events,
		}}, nil
	}
	return r.explained(ctx, repeatRequest{Explain: true})
}

// ExplainPage is Explain with the page and the timelines.
func (r *Recording) ExplainPage(ctx context.Context) (*Explanation, error) {
	if r.Kind == recording.Native {
		return r.Explain(ctx)
	}
	return r.explained(ctx, repeatRequest{Explain: true, Timelines: true})
}

// ExplainAgainst is Explain, or with page ExplainPage, for a controlled execution that is compared with a given passing
// one instead of the nearest: the one of the recording with the text against, or SEED:EXECUTION of a campaign. If that
// execution cannot be used, for example because it fails, the error is an *explore.AgainstError.
func (r *Recording) ExplainAgainst(ctx context.Context, against string, page bool) (*Explanation, error) {
	return r.explained(ctx, repeatRequest{Explain: true, Timelines: page, Against: against})
}

func (r *Recording) explained(ctx context.Context, request repeatRequest) (x *Explanation, err error) {
	var refused error
	err = r.inChild(ctx, request, func(m *Message) {
		f := m.Explained
		if f == nil {
			return
		}
		if f.Incomparable != "" {
			refused = &explore.AgainstError{Reason: f.Incomparable}
			return
		}
		x = &Explanation{Result: f.Result, Schedule: MustParse(f.Schedule), Gone: f.Gone, Page: f.Page, Timelines: f.Timelines}
	})
	return x, cmp.Or(err, refused)
}

// shrinkAttempts bounds the executions that shrinking takes.
const shrinkAttempts = 5000

// Shrink looks for a shorter schedule that leads the controlled scenario to the same verdict at the
// same site, and returns it with the number of executions that it took. It returns nil if the recorded
// execution does not fail as recorded. It has the requirements of Replay.
func (r *Recording) Shrink(ctx context.Context) (shorter *recording.Recording, attempts int, err error) {
	if r.Kind == recording.Native {
		return nil, 0, errors.New("a native execution has no schedule to shrink")
	}
	err = r.inChild(ctx, repeatRequest{Attempts: shrinkAttempts}, func(m *Message) {
		if m.Shrunk != nil {
			attempts = m.Shrunk.Attempts
			if m.Shrunk.Schedule != "" {
				shorter = MustParse(m.Shrunk.Schedule)
			}
		}
	})
	return shorter, attempts, err
}

// inChild makes a child process repeat the schedule.
func (r *Recording) inChild(ctx context.Context, repeat repeatRequest, receive func(*Message)) error {
	if os.Getenv(ChildEnv) != "" {
		return ErrNoChildMain
	}
	if err := context.Cause(ctx); err != nil {
		return err
	}
	repeat.Schedule = r.String()
	l := Launcher{MaxProcs: 1}
	end, err := l.Run(ctx, Request{Scenario: *r.Scenario, Repeat: &repeat}, func(m *Message) error { receive(m); return nil }, func() {})
	if err != nil || end.Done {
		return err
	}
	crash, err := end.Judge(l.ChildTimeout())
	if err != nil {
		return err
	}
	return fmt.Errorf("the execution crashed its process: %s: %s", crash.Verdict, crash.Summary)
}

// GoTest returns the command that repeats the recording of a test.
func (r *Recording) GoTest() (string, error) {
	path := r.File
	if absolute, err := filepath.Abs(path); err == nil {
		path = absolute // a test runs in the folder of its package
	}
	return r.Command(path)
}

// debugArg, as the second argument of a child, makes it repeat a recording for a debugger.
const debugArg = "debug"

// debugWords is the number of words in the command line of such a child.
const debugWords = 5

// DebugArgs returns the arguments that make a program that calls ChildMain repeat a recording of a controlled
// scenario, and stop for a debugger before a step; 0 is the decisive one.
func DebugArgs(file string, step int) []string {
	return []string{ChildArg, debugArg, file, strconv.Itoa(step)}
}

// patience returns control.Options.Patience. It is unlimited under a debugger, because a person who thinks is slower
// than any execution.
func (of *Runner) patience() time.Duration {
	if of.debugged {
		return -1
	}
	return 0
}

// debug runs a program that was started with DebugArgs.
func (of *Runner) debug(file, number string) error {
	step, err := strconv.Atoi(number)
	if err != nil {
		return err
	}
	rec, err := ReadRecording(file, of.Subjects...)
	if err != nil {
		return err
	}
	of.debugged = true
	e, err := of.newExplorer(rec.Scenario, rec.Campaign)
	if err != nil {
		return err
	}
	defer e.Close()
	x := recorded(rec.Recording)
	p := e.Debug(x, rec.Recording, step, func(line string) { print(line, "\n") })
	t := p.Trace
	t.Schedule = p.Schedule.Clone() // experiments follow
	r := e.explain(x, t)
	fmt.Println(r.Events)
	for _, line := range r.Explanation {
		fmt.Println(line)
	}
	if p.Likeness != recording.Exact {
		fmt.Println("not as recorded: " + p.Differs)
	} else {
		fmt.Println("as recorded, with an equal trace hash: " + r.Summary)
	}
	return nil
}
