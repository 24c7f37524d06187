package scale

import (
	"context"
	"fmt"
)

// A Result is what one run came to. Times are virtual; all counts are of all workers together.
type Result struct {
	Way      string
	Workload string
	Workers  int
	Seed     uint64

	Jobs   int // that the counts are about
	Wakes  int
	Wasted int // of the woken, those who found nothing before they slept again
	Sleeps int

	Nearly Time // from the first post until nine tenths of the workers were inside leaves; 0: they never were
	Full   Time // until all were
	Most   int  // that ever were
	Took   Time // until the last job was done
	Span   Time // what CPU is about: until all slept again, or while jobs came
	CPU    Time // that cores were in use for anything but jobs

	Posts          int
	Post, PostMost Time    // what a post took beside the push: mean, most
	Word           Traffic // the word that posters look at
	Injector       Traffic // the injector's lock
}

// Cores returns how many cores were in use for anything but jobs, in the mean of the span.
func (r Result) Cores() float64 { return float64(r.CPU) / float64(r.Span) }

// Run simulates a pool of that many workers, at least one. It returns an error if a job is lost or
// runs twice, or ctx ends.
func Run(ctx context.Context, way Way, load Workload, workers int, c Costs, seed uint64) (Result, error) {
	return run(ctx, way, load, workers, c, seed, broken{})
}

func run(ctx context.Context, way Way, load Workload, workers int, c Costs, seed uint64, b broken) (r Result, err error) {
	defer func() {
		if err != nil {
			err = fmt.Errorf("%s, %s: %w", way.Name, load.Name, err)
		}
	}()
	s := newSim(workers, c.in(workers), seed)
	defer s.end()
	s.protocol = way.protocol(s, b)
	if err := s.begin(ctx); err != nil {
		return r, err
	}
	first := s.now
	s.outside = &walker{sim: s, core: workers}
	var counted counts
	var span Time
	s.outside.actor = s.start(func(*actor) {
		load.run(s, s.outside)
		counted, span = s.count(), s.now-s.began
	})
	if err := s.settle(ctx); err != nil {
		return r, err
	}
	if err := s.check(); err != nil {
		return r, err
	}
	if !load.Steady {
		counted, span = s.count(), s.now-s.began
	}
	r = Result{Way: way.Name, Workload: load.Name, Workers: workers, Seed: seed,
		Jobs: len(s.jobs) - s.before, Wakes: counted.Wakes, Wasted: counted.Wasted, Sleeps: counted.Sleeps,
		Most: s.most, Took: s.done - first, Span: span,
		CPU:   Time(workers)*span - counted.Parked - counted.Useful + counted.Extra,
		Posts: counted.Posts, PostMost: counted.PostMost,
		Word: s.protocol.sharedWord().Traffic, Injector: s.injector.lock.Traffic,
	}
	if counted.Posts > 0 {
		r.Post = counted.PostTime / Time(counted.Posts)
	}
	if s.full > 0 {
		r.Full = s.full - first
	}
	if s.nearly > 0 {
		r.Nearly = s.nearly - first
	}
	return r, nil
}
