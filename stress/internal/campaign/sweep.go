package campaign

import (
	"cmp"
	"context"
	"errors"
	"maps"
	"math"
	"slices"
	"time"

	"github.com/rouse-go/rouse/stress/internal/run"
	"github.com/rouse-go/rouse/stress/scenario"
)

// runControlled runs a controlled scenario, in several processes if the campaign has them. The
// batches are dealt to the processes by number, and their results count in that order, up to the
// first failure, so that the result is the same as with a single process.
func (c *campaign) runControlled(ctx context.Context, t *entry) error {
	sc, err := t.scenario, ctx.Err()
	if err == nil && t.Failure != nil && t.Shrunk == "" { // the campaign was killed before this
		err = c.recordSchedule(ctx, t.tally)
	}
	for begun := false; err == nil && !t.exhausted() && (!sc.Exhaustive() || c.Shard.Has(sc, 0)); begun = true {
		first, bound := c.Shard.UnitFrom(sc, t.Next), c.bound(sc)
		if begun && c.For > 0 && c.leftOf(t) < 0 {
			break
		}
		r, more := c.request(sc, 0, c.leftOf(t))
		if !more || bound > 0 && first*scenario.BatchSize >= bound {
			break
		}
		r.Explore = &run.ExploreRequest{First: first, To: bound, Done: t.waiting.from(first), Level: t.Orders.Level}
		if c.For > 0 && t.turns > 1 { // only the campaign's end cuts a batch short
			r.Explore.Slice, r.For = r.For, max(c.left(), 1)
		}
		if r.Least += first * scenario.BatchSize; t.Executions > 0 {
			r.Least = 0
		}
		s := newSweep(c, t, r)
		if err = s.run(ctx); err != nil || s.failed < 0 {
			break
		}
	}
	return err
}

// exhausted reports whether nothing is left to do for a controlled scenario, regardless of its bounds.
func (t *tally) exhausted() bool {
	return t.Complete || t.Next > 0 && t.scenario.Exhaustive() || t.settledBy(t.Next-1)
}

// A sweep runs the batches of a scenario from a number on, in one process or several, until all are
// done or one has failed.
type sweep struct {
	campaign *campaign
	entry    *entry
	request  run.Request

	processes []*process
	batches   map[int]*run.BatchReport // done, but not counted while an earlier one runs
	partial   map[int]*run.BatchReport // running, as last reported
	begun     map[int]bool             // noted as begun in the journal
	next      int                      // the next batch to count
	failed    int                      // batch with the failure that counts; -1 if there is none
	bound     int                      // batches after this one do not count
	seen      int                      // executions reported, whether they count or not
	trouble   error                    // the journal's error
	cut       bool                     // the sweep was ended early: batches now count only for the report
}

// A process is a child that runs every n-th batch.
type process struct {
	batch  int // its current batch
	stop   context.CancelCauseFunc
	failed *run.BatchReport // the failed batch that it has reported
	ended  bool
}

// errEnough stops a process whose batches no longer count.
var errEnough = errors.New("an earlier batch has failed")

// An event of a process is a message, or its end.
type event struct {
	from    *process
	message *run.Message // nil at the end
	crashed *run.BatchReport
	err     error
}

func newSweep(c *campaign, t *entry, r run.Request) *sweep {
	first := r.Explore.First
	s := &sweep{
		campaign: c, entry: t, request: r, next: first, seen: t.Executions + t.waiting.executions(first),
		batches: map[int]*run.BatchReport{}, partial: map[int]*run.BatchReport{}, begun: map[int]bool{},
		failed: -1, bound: math.MaxInt,
	}
	for _, b := range r.Explore.Done {
		s.batches[b] = t.waiting[b]
	}
	return s
}

// run runs the sweep, and returns when all processes have ended.
func (s *sweep) run(ctx context.Context) error {
	own, stop := context.WithCancel(ctx)
	defer stop()
	events := make(chan event)
	s.start(own, events)
	ticker := time.NewTicker(run.TickTime)
	defer ticker.Stop()
	var failed error
	for left := len(s.processes); left > 0; {
		select {
		case e := <-events:
			if e.message == nil {
				left--
			}
			if err := cmp.Or(s.handle(e), s.trouble); err != nil && failed == nil {
				failed = err
				s.stopAfter(-1)
			}
		case <-ticker.C:
			s.campaign.tick(s.entry, s.seen)
		}
	}
	if s.cut = failed != nil; s.cut {
		s.campaign.journal.freeze()
	}
	s.count(s.atItsEnd())
	if s.cut && s.failed < 0 {
		s.countPartial()
	}
	if err := cmp.Or(failed, s.trouble); err != nil || s.failed < 0 {
		return err
	}
	return s.campaign.recordSchedule(ctx, s.entry.tally)
}

// start starts the processes, and deals the batches to them.
func (s *sweep) start(ctx context.Context, events chan<- event) {
	first, step, procs := s.request.Explore.First, s.campaign.Shard.Step(), max(s.campaign.Procs, 1)
	if s.entry.scenario.Exhaustive() || s.campaign.For > 0 && s.entry.turns == 1 {
		procs = 1
	}
	for i := range procs {
		own, stop := context.WithCancelCause(ctx)
		p := &process{batch: first + i*step, stop: stop}
		s.processes = append(s.processes, p)
		r, explore := s.request, *s.request.Explore
		explore.First, explore.Stride = p.batch, procs*step
		r.Explore = &explore
		if i > 0 {
			r.Least = 0
		}
		go s.follow(own, p, r, events)
	}
}

// follow runs a process to its end, and passes on its messages. If it crashes, another process repeats
// its batch, execution by execution, to find the one that crashed.
func (s *sweep) follow(ctx context.Context, p *process, r run.Request, events chan<- event) {
	l := run.Launcher{Timeout: s.campaign.launcher.Timeout, MaxProcs: 1, Spares: &s.campaign.spares}
	failed := false
	pass := func(m *run.Message) error {
		if m.Batch != nil && m.Batch.Failure != nil {
			failed = true
		}
		if m.Begin != nil || m.Progress != nil || m.Batch != nil || m.Explained != nil {
			events <- event{from: p, message: m}
		}
		return nil
	}
	last := event{from: p}
	end, err := l.Run(ctx, r, pass, func() {})
	if err == nil && !failed && !end.Done {
		last.crashed, err = l.FindCrash(ctx, r, end)
	}
	last.err = err
	events <- last
}

// handle handles an event. It returns an error that ends the sweep.
func (s *sweep) handle(e event) error {
	p := e.from
	switch m := e.message; {
	case m == nil:
		p.ended = true
		if e.crashed != nil {
			p.batch = e.crashed.Batch
			s.add(e.crashed, p)
		}
		if !errors.Is(e.err, errEnough) {
			return e.err
		}
	case m.Begin != nil:
		if p.batch = m.Begin.Execution / scenario.BatchSize; p.batch > s.bound {
			p.stop(errEnough)
		}
		s.begins(m.Begin)
	case m.Progress != nil:
		if m.Progress.Batch <= s.bound {
			s.see(m.Progress)
		}
	case m.Batch != nil:
		s.add(m.Batch, p)
	case m.Explained != nil && p.failed != nil:
		f := p.failed.Failure
		f.Result, f.Schedule = m.Explained.Result, cmp.Or(m.Explained.Schedule, f.Schedule)
	}
	return nil
}

// begins notes in the journal that a batch begins.
func (s *sweep) begins(b *run.Begin) {
	batch := b.Execution / scenario.BatchSize
	if s.entry.scenario.Exhaustive() {
		batch = 0
	}
	if !s.begun[batch] && s.trouble == nil {
		s.begun[batch] = true
		s.trouble = s.campaign.journal.begins(b)
	}
}

// see updates the number of executions for the observers.
func (s *sweep) see(b *run.BatchReport) {
	s.seen += b.Executions
	if before := s.partial[b.Batch]; before != nil {
		s.seen -= before.Executions
	}
	s.partial[b.Batch] = b
}

// add keeps the report of a batch until it can be counted.
func (s *sweep) add(b *run.BatchReport, p *process) {
	s.see(b)
	delete(s.partial, b.Batch)
	s.batches[b.Batch] = b
	if b.Failure != nil {
		p.failed = b
		if b.Batch < s.bound {
			s.stopAfter(b.Batch)
		}
	}
	s.count(false)
	if s.batches[b.Batch] == b && b.Failure == nil && s.request.Whole(b) && s.trouble == nil {
		s.entry.waiting[b.Batch] = b
		s.trouble = s.campaign.journal.waits(b)
	}
}

// stopAfter stops the processes that are in later batches, except those with a failure, which still have
// to explain it and end by themselves.
func (s *sweep) stopAfter(bound int) {
	s.bound = bound
	for _, p := range s.processes {
		if p.batch > bound && p.failed == nil && !p.ended {
			p.stop(errEnough)
		}
	}
}

// atItsEnd reports whether finished batches count although an earlier one is missing. If only the turn is
// over, a later turn runs the missing batch, and the others wait.
func (s *sweep) atItsEnd() bool {
	return s.cut || s.bound < math.MaxInt || s.request.Explore.Slice == 0 || s.campaign.left() == 0
}

// count adds to the tally the batches that are next in order, and at the end also those after a gap. A failure
// counts only at the end, when it has been explained.
func (s *sweep) count(end bool) {
	for ; s.failed < 0 && len(s.batches) > 0; s.next += s.campaign.Shard.Step() {
		b := s.batches[s.next]
		switch {
		case b == nil && !end:
			return
		case b == nil:
			continue
		case b.Failure != nil && !end:
			return
		}
		delete(s.batches, s.next)
		delete(s.entry.waiting, s.next)
		s.entry.addBatch(b)
		if !s.cut && s.trouble == nil {
			s.trouble = s.campaign.journal.batch(b)
		}
		if b.Failure != nil {
			s.failed = b.Batch
		}
	}
}

// countPartial adds to the tally the parts of batches that were cut short, for the report of an interrupted
// campaign. These batches run again when it is resumed.
func (s *sweep) countPartial() {
	for _, b := range slices.Sorted(maps.Keys(s.partial)) {
		s.entry.addBatch(s.partial[b])
	}
}
