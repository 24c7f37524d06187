package run

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"os"
	"slices"
	"strings"
	"time"

	"github.com/rouse-go/rouse/chaos"
	"github.com/rouse-go/rouse/chaos/control"
	"github.com/rouse-go/rouse/chaos/recording"
	"github.com/rouse-go/rouse/chaos/verdict"
	"github.com/rouse-go/rouse/hooks"
	"github.com/rouse-go/rouse/internal/yamltree"
	"github.com/rouse-go/rouse/stress/internal/outcome"
	"github.com/rouse-go/rouse/stress/scenario"
	"github.com/rouse-go/rouse/stress/subject"
)

// smallBatches is how many batches of a search have the sizes of controlled scenarios. Later batches have the
// native sizes, which take longer, and show failures that need a deep tree or a long queue.
const smallBatches = 4

// searchSteps is the step limit of a search. Scenarios made for control are smaller.
const searchSteps = 10 * scenario.DefaultMaxSteps

// A Found is the result of a search.
type Found struct {
	outcome.Search
	Schedule *recording.Recording // of the failure; nil if there is none
}

// Search searches under control for the failure of a native recording: it runs the same subject and workload
// in the recorded setting, under one schedule after the other, with the faults of its plan and delays at
// the points that were last seen. It ends with the first execution that fails like the recorded one
// (see outcome.Alike), and shrinks its schedule. An execution depends only on the recording and its
// number, so the budget only decides how far the search gets.
//
// The program must call ChildMain first thing in main. The subjects are those that ReadRecording takes.
func (r *Recording) Search(ctx context.Context, b outcome.SearchBudget, subjects ...subject.Subject) (*Found, error) {
	if os.Getenv(ChildEnv) != "" {
		return nil, ErrNoChildMain
	}
	s := &search{of: r.Recording, budget: b, start: time.Now()}
	if err := s.prepare(r.Scenario, subjects); err != nil {
		s.Problem = err.Error()
		return &s.Found, nil
	}
	err := s.run(ctx)
	if err == nil && s.Schedule != nil {
		err = s.shrink(ctx)
	}
	s.Took = time.Since(s.start)
	return &s.Found, err
}

// A search is a running search.
type search struct {
	Found
	of     *recording.Recording
	budget outcome.SearchBudget
	start  time.Time

	small, large *scenario.Scenario // large is nil if the native sizes do not differ
	failedIn     *scenario.Scenario
	may          []verdict.Verdict // verdicts that the native scenario may have
	outside      bool              // the subject cannot be controlled
}

// prepare makes the controlled scenarios for a recorded native one. The error is the reason why that is not
// possible.
func (s *search) prepare(native *scenario.Scenario, subjects []subject.Subject) (err error) {
	switch {
	case native.Mode == scenario.Control:
		return errors.New("it ran under control, and ended its process")
	case native.Expect != verdict.Pass:
		return fmt.Errorf("the scenario expects %s, which would be found first", native.Expect)
	case s.of.Verdict == verdict.MemoryGrowth:
		return errors.New("memory growth shows over many executions only")
	}
	sc := *native
	s.may = native.May
	about, w := (&Runner{Subjects: subjects}).subject(&sc)
	sc.Mode, sc.Setup = scenario.Control, native.SetupOf(s.of.Execution)
	s.Points = lastSeen(s.of.Events, about.Owns)
	sc.Plan = slices.Concat(native.Plan, delaysAt(s.Points))
	sc.MaxSteps = searchSteps
	sc.May, sc.Why, sc.Except, sc.Executions, sc.Share = nil, "", nil, 0, 0
	if s.small, err = checked(&sc, subjects); err != nil {
		return err
	}
	if sizes := sc.NativeSizes(w); !maps.Equal(sizes, sc.Sizes) {
		sc.Sizes = sizes
		s.large, err = checked(&sc, subjects)
	}
	return err
}

// checked returns the scenario as read from a recording of it.
func checked(sc *scenario.Scenario, subjects []subject.Subject) (*scenario.Scenario, error) {
	read, err := scenario.One(yamltree.Source{File: sc.Name, Text: []byte(scenario.EncodeOne(sc))}, subjects...)
	var input *scenario.InputError
	if errors.As(err, &input) {
		err = errors.New(input.Problem)
	}
	return read, err
}

// run runs batches until an execution fails like the recorded one, or the budget is used up. An execution that
// fails in another way ends its batch.
func (s *search) run(ctx context.Context) error {
	for next := 0; !s.outside && !s.budget.Over(next*scenario.BatchSize, s.start); {
		r := Request{
			Scenario: *s.small, CampaignSeed: s.of.Campaign, Least: s.budget.Least,
			Explore: &ExploreRequest{First: next, Stride: 1, To: s.budget.Executions},
		}
		end := smallBatches * scenario.BatchSize
		switch {
		case s.large == nil:
		case next >= smallBatches:
			r.Scenario = *s.large
		case r.Explore.To == 0 || r.Explore.To > end:
			r.Explore.To = end
		}
		if s.budget.For > 0 {
			r.For = max(s.budget.For-time.Since(s.start), 1)
		}
		failed, last, err := s.child(ctx, r)
		if err != nil || failed != nil && s.takes(failed, &r.Scenario) {
			return err
		}
		next = last + 1
	}
	return nil
}

// child runs a child, and returns the batch that failed, or nil, and the number of the last batch.
func (s *search) child(ctx context.Context, r Request) (failed *BatchReport, last int, err error) {
	l := Launcher{MaxProcs: 1}
	last = r.Explore.First
	end, err := l.Run(ctx, r, func(m *Message) error {
		switch {
		case m.Batch != nil:
			s.Executions += m.Batch.Executions
			last = m.Batch.Batch
			if m.Batch.Failure != nil {
				failed = m.Batch
			}
		case m.Explained != nil && failed != nil:
			failed.Failure = m.Explained
		}
		return nil
	}, func() {})
	if err != nil || end.Done || failed != nil {
		return failed, last, err
	}
	if crash, err := end.Judge(l.ChildTimeout()); err != nil || s.blocks(crash) {
		return nil, last, err
	}
	if failed, err = l.FindCrash(ctx, r, end); err == nil {
		s.Executions += failed.Executions
		last = failed.Batch
	}
	return failed, last, err
}

// blocks reports whether the engine caused a crash because the subject waits for something outside of control.
// Then every execution would crash.
func (s *search) blocks(crash *outcome.Result) bool {
	if s.outside = strings.Contains(crash.Summary, control.NoProgress); s.outside {
		s.Executions = max(s.Executions, 1)
		s.Problem = fmt.Sprintf("execution %d is outside of control: what it waits for has to go through package hooks", crash.Execution)
	}
	return s.outside
}

// takes adds a failure to the result, and reports whether it ends the search. It keeps the first failure of another
// kind, and ignores verdicts that the scenario may have.
func (s *search) takes(b *BatchReport, sc *scenario.Scenario) bool {
	f := b.Failure
	switch v := f.Result.Verdict; {
	case outcome.Unexplored(v):
		if s.Verdict == "" {
			what, _, _ := strings.Cut(f.Result.Summary, ";") // the summary of a timeout goes on with the tasks
			s.Problem = fmt.Sprintf("execution %d: %s: %s", f.Result.Execution, f.Result.Verdict, what)
		}
		return false
	case slices.Contains(s.may, v):
		return false
	}
	kept, same := s.Take(s.of.Verdict, f.Result.Verdict, f.Result.Summary, f.Result.Execution)
	if kept {
		s.failedIn, s.Schedule = sc, nil
		if f.Schedule != "" {
			s.Schedule = MustParse(f.Schedule)
		}
	}
	return same
}

// shrink shrinks the schedule that was found.
func (s *search) shrink(ctx context.Context) error {
	limited, cancel := s.budget.Shrinking(ctx)
	defer cancel()
	found := &Recording{Recording: s.Schedule, Scenario: s.failedIn}
	shorter, _, err := found.Shrink(limited)
	switch {
	case ctx.Err() != nil:
		return context.Cause(ctx)
	case limited.Err() != nil:
		s.Unshrunk = "the time was up"
	case err != nil: // it crashes the process
		s.Unshrunk = err.Error()
	case shorter == nil:
		s.Unshrunk = "it does not fail when it is repeated"
	default:
		s.Schedule = shorter
	}
	s.Decisions = len(s.Schedule.Entries)
	return nil
}

// A search delays tasks at the hook points where they were last seen in the native execution: at the last
// lastVisits of each task, with delayProbability at each visit. Under control a delay lasts until about no other
// task can continue; its length decides between several delays.
const (
	lastVisits           = 3
	mostSeen             = 16
	delayProbability     = 0.1
	leastDelay, mostWait = time.Microsecond, 100 * time.Microsecond
)

// lastSeen returns the subject's own points that tasks passed last, from the events of a native recording, whose
// lines are in the order of time: the task, the time, the point, and the number of the visit. It leaves out
// operations of drop-ins, which are decisions anyway.
func lastSeen(events string, own func(point string) bool) (points []string) {
	byTask := map[string][]string{}
	var tasks []string
	offered := map[string]bool{}
	for _, p := range scenario.Points() {
		offered[p.Name] = p.Offers&hooks.Delays != 0 && !p.Operation && own(p.Name)
	}
	for line := range strings.Lines(events) {
		words := strings.Fields(line)
		at := slices.IndexFunc(words, func(w string) bool { return strings.HasPrefix(w, "#") })
		if at < 2 || !offered[words[at-1]] {
			continue
		}
		task := words[0]
		if byTask[task] == nil {
			tasks = append(tasks, task)
		}
		byTask[task] = append(byTask[task], words[at-1])
	}
	for _, task := range tasks {
		visits := byTask[task]
		for _, p := range visits[max(len(visits)-lastVisits, 0):] {
			if !slices.Contains(points, p) && len(points) < mostSeen {
				points = append(points, p)
			}
		}
	}
	return points
}

// delaysAt returns the faults that a search adds to a plan.
func delaysAt(points []string) (faults []chaos.Fault) {
	for _, p := range points {
		faults = append(faults, chaos.Fault{At: p, Kind: hooks.Delays, Probability: delayProbability, Min: leastDelay, Max: mostWait})
	}
	return faults
}
