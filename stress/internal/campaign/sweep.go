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

// explore runs a controlled scenario as scenario does a native one, in several
// processes if that is asked for. Batches are dealt to them by number, and what they
// bring counts in the order of their numbers, up to the first conviction: the result
// is that of a single process.
func (c *campaign) Explore(ctx context.Context, t *turn) error {
	sc, err := t.scenario, ctx.Err()
	s := &sweep{campaign: c, turn: t, tally: t.tally}
	if err == nil && t.Failure != nil && t.Shrunk == "" {
		err = s.keep(ctx) // it had no time for that
	}
	for begun := false; err == nil && !t.over() && (!sc.Exhaustive() || c.Shard.Has(sc, 0)); begun = true {
		first, bound := c.Shard.UnitFrom(sc, t.Next), c.bound(sc)
		if begun && c.For > 0 && c.leftOf(t) < 0 {
			break
		}
		r, more := c.request(sc, 0, c.leftOf(t))
		if !more || bound > 0 && first*scenario.BatchSize >= bound {
			break
		}
		r.Explore = &run.ExploreRequest{First: first, To: bound, Done: t.waiting.from(first)}
		if r.Least += first * scenario.BatchSize; t.Executions > 0 {
			r.Least = 0
		}
		s = &sweep{campaign: c, turn: t, tally: t.tally, request: r, next: first, seen: t.Executions + t.waiting.executions(first)}
		if err = s.Run(ctx); err != nil || s.last < 0 {
			break
		}
	}
	return err
}

// over reports whether nothing is left to do for a controlled scenario, whatever the
// bounds say.
func (t *tally) over() bool {
	return t.Complete || t.Next > 0 && t.scenario.Exhaustive() || t.settledBy(t.Next-1)
}

// A sweep is one round of processes over the batches of a scenario, until all is done
// or one is convicted.
type sweep struct {
	campaign *campaign
	turn     *turn
	tally    *tally
	request  run.Request

	batches map[int]*run.BatchReport // that wait for those before them
	next    int                      // batch that counts next
	last    int                      // the batch with the conviction; -1 if there is none
	bound   int                      // batches after this one do not count
	running []*sweeper
	seen    int                      // executions reported, whether they count or not
	partial map[int]*run.BatchReport // batches that are running, as they were last reported
	begun   map[int]bool             // batches that the journal has as begun
	trouble error                    // of the journal
	cut     bool                     // before the time was up: what is counted now, and has gaps, is for the report only
}

// A sweeper is one process.
type sweeper struct {
	number int
	at     int // batch that it is in
	stop   context.CancelCauseFunc
	failed *run.BatchReport // that it has reported
	ended  bool
}

// errEnough stops a process whose batches do not count any more.
var errEnough = errors.New("a conviction was found in an earlier batch")

// A news is what a process says, or how it has ended.
type news struct {
	from *sweeper
	said *run.Message
	end  run.Ending
	err  error
	lost *run.BatchReport // a batch that took the process with it
}

// run returns when all processes have ended.
func (s *sweep) Run(ctx context.Context) error {
	procs := max(s.campaign.Procs, 1)
	if s.tally.scenario.Exhaustive() {
		procs = 1
	}
	s.batches, s.partial, s.begun = map[int]*run.BatchReport{}, map[int]*run.BatchReport{}, map[int]bool{}
	for _, b := range s.request.Explore.Done {
		s.batches[b] = s.turn.waiting[b]
	}
	s.last, s.bound = -1, math.MaxInt
	all := make(chan news)
	own, stop := context.WithCancel(ctx)
	defer stop()
	s.start(own, procs, all)
	var failed error
	ticker := time.NewTicker(run.TickTime)
	defer ticker.Stop()
	for left := procs; left > 0; {
		select {
		case n := <-all:
			if n.said != nil {
				s.hear(n.from, n.said)
				if s.trouble != nil && failed == nil {
					failed = s.trouble
					s.stopAfter(-1)
				}
				continue
			}
			left--
			n.from.ended = true
			if n.lost != nil {
				n.from.at = n.lost.Batch
				s.take(n.lost, n.from)
			}
			if n.err != nil && !errors.Is(n.err, errEnough) && failed == nil {
				failed = n.err
				s.stopAfter(-1)
			}
		case <-ticker.C:
			s.tick()
		}
	}
	if s.cut = failed != nil; s.cut {
		s.campaign.journal.freeze()
	}
	s.count(true)
	if s.cut && s.last < 0 {
		s.countPartial()
	}
	switch {
	case failed != nil:
		return failed
	case s.trouble != nil:
		return s.trouble
	case s.last >= 0:
		return s.keep(ctx)
	}
	return nil
}

// start starts the processes, and deals the batches to them.
func (s *sweep) start(ctx context.Context, procs int, all chan<- news) {
	first, step := s.request.Explore.First, s.campaign.Shard.Step()
	for i := range procs {
		own, stop := context.WithCancelCause(ctx)
		p := &sweeper{number: i, at: first + i*step, stop: stop}
		s.running = append(s.running, p)
		r, explore := s.request, *s.request.Explore
		explore.First, explore.Stride = first+i*step, procs*step
		r.Explore = &explore
		if i > 0 {
			r.Least = 0
		}
		go s.process(own, p, r, all)
	}
}

// keep writes the recording of the conviction, and a shorter one if there is one.
func (s *sweep) keep(ctx context.Context) error {
	if s.tally.Recording == "" {
		if err := s.campaign.record(s.tally); err != nil {
			return err
		}
	}
	if err := s.shrink(ctx); err != nil || s.tally.Shrunk == "" {
		return err
	}
	return s.campaign.journal.recorded(s.tally)
}

// shrink puts a shorter schedule beside a recording that nobody expected, if there is
// one. If shrinking takes its process with it, the recording has to do.
func (s *sweep) shrink(ctx context.Context) error {
	t := s.tally
	if t.Recording == "" || t.Schedule == "" || t.scenario.Expects(t.Failure.Verdict) {
		return nil
	}
	found := &run.Recording{Recording: run.MustParse(t.Schedule), Scenario: t.scenario}
	shorter, _, err := found.Shrink(ctx)
	switch {
	case ctx.Err() != nil:
		return context.Cause(ctx)
	case err != nil || shorter == nil || len(shorter.Entries) >= len(found.Entries):
		return nil
	}
	t.Shrunk, err = run.WriteNew(run.ShrunkName(t.Recording), shorter.String())
	return err
}

// process runs one child to its end. What it lost, it is asked for again, execution by
// execution.
func (s *sweep) process(ctx context.Context, p *sweeper, r run.Request, all chan<- news) {
	l := run.Launcher{Timeout: s.campaign.launcher.Timeout, MaxProcs: 1}
	convicted := false
	tell := func(m *run.Message) error {
		if m.Batch != nil && m.Batch.Failure != nil {
			convicted = true
		}
		if m.Begin != nil || m.Progress != nil || m.Batch != nil || m.Explained != nil {
			all <- news{from: p, said: m}
		}
		return nil
	}
	n := news{from: p}
	n.end, n.err = l.Run(ctx, r, tell, func() {})
	if n.err == nil && !convicted && !n.end.Done {
		n.lost, n.err = l.Lose(ctx, r, n.end)
	}
	all <- n
}

// hear takes in what a process says.
func (s *sweep) hear(p *sweeper, m *run.Message) {
	switch {
	case m.Begin != nil:
		p.at = m.Begin.Execution / scenario.BatchSize
		if p.at > s.bound {
			p.stop(errEnough)
		}
		s.begins(m.Begin)
	case m.Progress != nil:
		if m.Progress.Batch <= s.bound {
			s.saw(m.Progress)
		}
	case m.Batch != nil:
		s.take(m.Batch, p)
	case m.Explained != nil && p.failed != nil:
		f := p.failed.Failure
		f.Result, f.Schedule = m.Explained.Result, cmp.Or(m.Explained.Schedule, f.Schedule)
	}
}

// begins tells the journal of a batch.
func (s *sweep) begins(b *run.Begin) {
	batch := b.Execution / scenario.BatchSize
	if s.tally.scenario.Exhaustive() {
		batch = 0
	}
	if !s.begun[batch] && s.trouble == nil {
		s.begun[batch] = true
		s.trouble = s.campaign.journal.begins(b)
	}
}

// saw counts what has been reported of a batch.
func (s *sweep) saw(b *run.BatchReport) {
	s.seen += b.Executions
	if before := s.partial[b.Batch]; before != nil {
		s.seen -= before.Executions
	}
	s.partial[b.Batch] = b
}

// countPartial takes into the tally what has run of batches that do not come to their end, for the
// report of a campaign that is interrupted. They run again when it is resumed.
func (s *sweep) countPartial() {
	for _, b := range slices.Sorted(maps.Keys(s.partial)) {
		s.tally.addBatch(s.partial[b])
	}
}

// take keeps a batch until it can be counted.
func (s *sweep) take(b *run.BatchReport, p *sweeper) {
	s.saw(b)
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
		s.turn.waiting[b.Batch] = b
		s.trouble = s.campaign.journal.waits(b)
	}
}

// stopAfter stops those who are beyond that batch. Who was convicted has its story to
// tell, and ends by itself.
func (s *sweep) stopAfter(bound int) {
	s.bound = bound
	for _, p := range s.running {
		if p.at > bound && p.failed == nil && !p.ended {
			p.stop(errEnough)
		}
	}
}

// count takes the batches whose turn it is into the tally, and at the end all that are
// left: the time was up. A conviction counts at the end only, when its story is told.
func (s *sweep) count(end bool) {
	for ; s.last < 0 && len(s.batches) > 0; s.next += s.campaign.Shard.Step() {
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
		delete(s.turn.waiting, s.next)
		s.tally.addBatch(b)
		if !s.cut && s.trouble == nil {
			s.trouble = s.campaign.journal.batch(b)
		}
		if b.Failure != nil {
			s.last = b.Batch
		}
	}
}

// tick tells the observers how far it is.
func (s *sweep) tick() { s.campaign.tick(s.turn, s.seen) }
