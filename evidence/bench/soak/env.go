package soak

import (
	"context"
	"fmt"
	"slices"
	"sync"
	"sync/atomic"

	"github.com/rouse-go/rouse/pool"
)

// A subject is a pool, with counts of the jobs that it was given.
type subject struct {
	*pool.Pool
	injected atomic.Int64
	shares   atomic.Int64 // of its workers in broadcasts
	grouped  atomic.Int64 // jobs of groups, which come from outside, from its workers, or run on a spare at once
}

// env holds the state that the batches of a run share.
type env struct {
	p     *subject // shared by all
	q     *subject // for jobs from p, and for blocking jobs
	exits *subject // for jobs that call Goexit

	mu      sync.Mutex
	open    []*subject
	defects []Defect
	more    int // defects beyond those kept
	tallies map[*Kind]*Account

	plant   Plant
	planted atomic.Bool
	release chan struct{} // ends the goroutine that a plant leaks
	hoard   hoard
}

// mostDefects is the number of defects that are kept; the run ends when it is reached.
const mostDefects = 100

func newEnv(c Config) (*env, error) {
	e := &env{plant: c.Plant, release: c.release, tallies: map[*Kind]*Account{}}
	for _, s := range []struct {
		to      **subject
		name    string
		workers int
	}{{&e.p, "main", c.Workers}, {&e.q, "other", 2}, {&e.exits, "exits", c.Workers}} {
		var err error
		if *s.to, err = e.start(s.workers, pool.WithName(s.name), pool.WithPanicHandler(e.handle)); err != nil {
			return nil, err
		}
	}
	return e, nil
}

// start opens a pool.
func (e *env) start(workers int, options ...pool.Option) (*subject, error) {
	p, err := pool.New(workers, options...)
	if err != nil {
		return nil, err
	}
	s := &subject{Pool: p}
	e.mu.Lock()
	e.open = append(e.open, s)
	e.mu.Unlock()
	return s, nil
}

// close closes a pool, and compares its counters with the jobs that it was given. It returns the differences.
func (e *env) close(s *subject) (differences []string) {
	if err := s.Close(context.Background()); err != nil {
		differences = append(differences, fmt.Sprintf("Close of pool %q: %v", s.Name(), err))
	}
	e.mu.Lock()
	e.open = slices.DeleteFunc(e.open, func(one *subject) bool { return one == s })
	e.mu.Unlock()
	stats, state := s.Stats(), s.State()
	// A spare worker that ends gives the jobs in its deque to the injector, which counts them once
	// more.
	grouped := uint64(s.grouped.Load())
	if given := uint64(s.injected.Load()); stats.Injected < given || stats.Injected > given+grouped && stats.Spares == 0 {
		differences = append(differences, fmt.Sprintf("pool %q has taken %d jobs from outside, and was given %d", s.Name(), stats.Injected, given))
	}
	given := stats.Injected + uint64(s.shares.Load())
	if stats.Jobs < given || stats.Jobs > given+stats.Pushed+grouped {
		differences = append(differences, fmt.Sprintf("pool %q has run %d jobs, of %d from outside, %d of broadcasts and %d of its own",
			s.Name(), stats.Jobs, stats.Injected, s.shares.Load(), stats.Pushed))
	}
	if stats.Steals > stats.Pushed {
		differences = append(differences, fmt.Sprintf("pool %q has stolen %d jobs of %d", s.Name(), stats.Steals, stats.Pushed))
	}
	if state.Injected != 0 || state.References != 0 {
		differences = append(differences, fmt.Sprintf("pool %q is closed with %d jobs and %d references", s.Name(), state.Injected, state.References))
	}
	return differences
}

// opened returns the pools that are open.
func (e *env) opened() []*subject {
	e.mu.Lock()
	defer e.mu.Unlock()
	return slices.Clone(e.open)
}

func (e *env) defect(b *batch, what, format string, args ...any) {
	e.report(Defect{What: what, Kind: b.kind.Name, Batch: b.number, Detail: fmt.Sprintf(format, args...)})
}

func (e *env) report(d Defect) {
	e.mu.Lock()
	defer e.mu.Unlock()
	if len(e.defects) < mostDefects {
		e.defects = append(e.defects, d)
	} else {
		e.more++
	}
}

// spoiled reports whether there are so many defects that further ones mean nothing.
func (e *env) spoiled() bool {
	e.mu.Lock()
	defer e.mu.Unlock()
	return len(e.defects) >= mostDefects
}

func (e *env) tally(k *Kind, a Account) {
	e.mu.Lock()
	defer e.mu.Unlock()
	if e.tallies[k] == nil {
		e.tallies[k] = new(Account)
	}
	e.tallies[k].add(a)
}
