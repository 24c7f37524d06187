package worker

import (
	"cmp"
	"encoding/json"
	"fmt"

	"github.com/rouse-go/rouse/chaos/control"
	"github.com/rouse-go/rouse/chaos/goroot/wire"
	"github.com/rouse-go/rouse/chaos/internal/splitmix"
	"github.com/rouse-go/rouse/chaos/plan"
	"github.com/rouse-go/rouse/chaos/recording"
	"github.com/rouse-go/rouse/chaos/strategy"
	"github.com/rouse-go/rouse/chaos/verdict"
	"github.com/rouse-go/rouse/internal/evidence"
	"github.com/rouse-go/rouse/internal/explore"
)

// defaultBatch is how many executions a batch has if the settings do not say so.
const defaultBatch = 256

// A session runs the executions of one test with the same settings.
type session struct {
	*explore.Search
	worker   *Worker
	test     string
	settings wire.Settings
	clock    control.Clock

	functions map[string]any // for libraries that take part in executions

	last    Execution       // the last one
	detail  string          // of a failure of it that a library has reported
	next    int             // the execution that follows those that have run
	probed  bool            // see probe
	samples wire.Difference // the executions that it samples run alone
	first   bool            // recorded executions are the first of a process
	found   variables
	steps   int // of the first execution of the process
	by      strategy.Strategy
	instead string // the name of the strategy that has chosen for an execution that fails, if it is another one

	differed bool   // the last execution took another way when it was repeated
	real     bool   // it fails by its own checks, after it has used what is known to be real
	skipped  bool   // the last execution has called Skip
	ran      bool   // one of the request has not called Skip, or has failed; or others have run before the request
	reason   string // that it has given for that
	tainted  string
	dirty    bool // an execution that does not count may have left something behind, such as a lock
	early    earlyTimers
	check    check // of the last execution

	counts wire.Counts // since they were taken
	orders []uint64    // that have been reported last, by their lowest bits; the lowest two are how often
}

const (
	// ordersKept is how many orders are kept, a power of two. What is forgotten is reported more often than
	// need be, which does no harm.
	ordersKept = 1 << 16
	// mostReported is how often an order is reported: stress test counts those that were seen once, or twice.
	mostReported = 3
)

// sessionOf returns the session of a test, and begins it unless it is the current one.
func (w *Worker) sessionOf(test string, settings wire.Settings) (*session, error) {
	if s := w.session; s != nil && s.test == test && s.settings == settings {
		return s, nil
	}
	return w.newSession(test, settings, nil)
}

// newSession begins a session; by, if not nil, replaces the strategy.
func (w *Worker) newSession(test string, settings wire.Settings, by strategy.Strategy) (*session, error) {
	w.endSession()
	s := &session{worker: w, test: test, settings: settings, early: earlyTimers{first: -1}, orders: make([]uint64, ordersKept)}
	var ok bool
	if s.clock, ok = control.ParseClock(cmp.Or(settings.Clock, control.Mixed.String())); !ok {
		return nil, fmt.Errorf("found the clock %q", settings.Clock)
	}
	name := cmp.Or(settings.Strategy, strategy.Recommended)
	var err error
	if s.by, err = strategy.Parse(name); err != nil {
		return nil, err
	}
	batches := explore.NewBatches(func() strategy.Strategy {
		by, _ := strategy.Parse(name) // it has just been parsed
		return by
	}, cmp.Or(settings.Batch, defaultBatch), 1)
	maxSteps := cmp.Or(settings.MaxSteps, wire.DefaultMaxSteps)
	if by != nil {
		batches = nil
	}
	_, exhaustive := s.by.(strategy.Exhaustive)
	s.Search, err = explore.New(explore.Options{
		Engine: control.Options{
			Runtime: w.binary.Runtime, Strategy: by, Own: w.setup.Own, AllowLeaks: !settings.Leaks, Clock: s.clock, MaxSteps: maxSteps,
			// A loop of loads need not be one that waits: code without hooks computes with plain variables
			// in between. So the limit of steps ends it.
			MaxSpins: maxSteps / 20,
			Patience: w.patience(),
			Stepped:  w.stepped,
		},
		Batches: batches,
		Seed: func(n int) uint64 {
			if exhaustive { // it expects the same subject each time
				n = 0
			}
			return explore.Seed(settings.Seed, n)
		},
		Body: func(strategy.Execution) func() {
			w.progress(s) // shrinking, too, may take longer than stress test has patience
			s.detail, s.check = "", check{}
			s.last = w.binary.Execution(test, s.functions)
			return s.last.Run
		},
		Judge: s.judge,
	})
	if err != nil {
		return nil, err
	}
	s.functions = s.control()
	w.session = s
	return s, nil
}

func (w *Worker) endSession() {
	if w.session != nil {
		w.session.Close()
		w.session = nil
	}
}

// runBy runs the test once by another strategy. It returns false if that has explored everything.
func (s *session) runBy(by strategy.Strategy) (control.Result, bool) {
	x := s.Execution(0)
	r, more := s.Engine.RunBy(by, x.Seed, s.Body(x))
	if !more {
		return r, false
	}
	return s.Judge(r), true
}

// count counts execution n.
func (s *session) count(n int, r control.Result) {
	s.counts.Executions++
	s.counts.Steps += r.Steps
	if s.samples != "" { // what it has found, an earlier one has left: PCT guarantees nothing
		s.Evidence.PCT = nil
	}
	s.Evidence.AddCause(evidence.Woken, r.Outside.Wakes)
	if r.Far {
		s.Evidence.Far++
	}
	if lack := s.lack(); lack != "" {
		s.Evidence.AddCause(lack, 1)
	}
	if count := s.worker.binary.Uncontrolled; count != nil {
		count(s.Evidence.AddCause)
	}
	s.counts.Traces += splitmix.Mix(uint64(n), r.Hash)
	known := &s.orders[r.Order%ordersKept]
	if *known&^mostReported != r.Order&^mostReported {
		*known = r.Order &^ mostReported
	}
	if *known&mostReported < mostReported {
		*known++
		s.counts.Orders = append(s.counts.Orders, r.Order)
	}
}

// takeCounts returns the counts since the last time. The next count overwrites them.
func (s *session) takeCounts() wire.Counts {
	c := s.counts
	c.Evidence = s.Evidence
	s.counts, s.Evidence = wire.Counts{Orders: c.Orders[:0]}, evidence.Counts{}
	return c
}

// strategyName returns the name of the strategy, with its parameters.
func (s *session) strategyName() string { return cmp.Or(s.instead, s.by.Name()) }

// Settings that a recording names in its options.
const (
	optionLeaks    = "leaks"
	optionShort    = "short"
	optionMaxSteps = "max-steps="
	optionFirst    = recording.OptionFirst
)

// recordingOf makes the recording of an execution, which was the last, by a schedule of it.
func (s *session) recordingOf(x strategy.Execution, r control.Result, by strategy.Schedule) *recording.Recording {
	rec := s.Recording(x, r, by)
	rec.Kind, rec.Build = recording.Unmodified, recording.ThisUnmodifiedBuild()
	if s.worker.setup.Unverified {
		rec.Build += " " + recording.Unverified
	}
	rec.Subject, rec.Strategy = s.worker.binary.Package+" "+s.test, s.strategyName()
	rec.Start, rec.Clock = s.worker.setup.Start, s.clock.String()
	if s.settings.Leaks {
		rec.Options = append(rec.Options, optionLeaks)
	}
	if s.settings.Short {
		rec.Options = append(rec.Options, optionShort)
	}
	if s.first {
		rec.Options = append(rec.Options, optionFirst)
	}
	if s.settings.MaxSteps != 0 {
		rec.Options = append(rec.Options, fmt.Sprintf("%s%d", optionMaxSteps, s.settings.MaxSteps))
	}
	return rec
}

// control returns the functions by which a library takes part in executions. The library may have a
// copy of this module of its own, so all are of standard types; package chaos uses them.
func (s *session) control() map[string]any {
	e := s.Engine
	return map[string]any{
		"start":   s.worker.setup.Start,
		"choose":  e.Choose,
		"task":    e.Task,
		"name":    e.SetName,
		"failing": s.failing,
		"fail": func(v, summary, detail string) {
			s.setDetail(detail)
			s.failing()
			e.Fail(verdict.Verdict(v), summary)
		},
		"stuck": func(judge func(verdict, summary string) (string, string)) {
			e.OnStuck(func(stuck control.Result) (verdict.Verdict, string) {
				v, summary := judge(string(stuck.Verdict), stuck.Summary)
				return verdict.Verdict(v), summary
			})
		},
		"arm": func(text []byte) error {
			var p plan.Plan
			if err := json.Unmarshal(text, &p); err != nil {
				return fmt.Errorf("plan: %w", err)
			}
			return e.Arm(p)
		},
		"visit": func(point string, can uint16, value uint64) (delay int64, until string, limit int64, yield bool, copies int, failed bool, result uint64) {
			f := e.Visit(point, can, value)
			return int64(f.Delay), f.Until, int64(f.Limit), f.Yield, f.Copies, f.Failed, f.Value
		},
	}
}

// setDetail is called by a task, whose turns the race detector does not see.
//
//go:norace
func (s *session) setDetail(text string) { s.detail = text }
