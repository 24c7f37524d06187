package soak

import (
	"context"
	"errors"
	"io"
	"runtime"
	"sync"
	"time"
)

// Drivers is the number of goroutines that run batches at the same time.
const Drivers = 4

// A Config says what to run.
type Config struct {
	Jobs     int
	Seed     uint64
	Workers  int           // of the main pool
	Kinds    []*Kind       // share the jobs in proportion to their shares
	Every    time.Duration // between two lines of progress
	Patience time.Duration // how long a batch may run no job
	Memory   int           // MiB that may be in use
	Plant    Plant         // a deliberate defect
	Progress io.Writer     // gets the lines of progress, and after a hang the states of pools and all goroutines
	release  chan struct{} // a test closes it to end the goroutine that a plant leaks
}

// A Tally is the account of a kind.
type Tally struct {
	Kind string
	Account
}

// A Result is the result of a run.
type Result struct {
	Tallies []Tally
	Total   Account
	Peak    uint64 // bytes of memory in use
	Elapsed time.Duration
	Defects []Defect
	More    int // defects beyond those
}

// Run runs the jobs. When ctx ends, no further batch begins, and all checks are made of the jobs that
// have run. After a hang the hanging goroutines are left behind, and the process should end. The error
// is from Progress, or from a pool that can't be opened.
func Run(ctx context.Context, c Config) (Result, error) {
	before := goroutines()
	memory := &memoryCheck{start: collected(), limit: uint64(c.Memory) << 20}
	e, err := newEnv(c)
	if err != nil {
		return Result{}, err
	}
	defer runtime.KeepAlive(e) // and with it the hoard of a plant
	r := &run{Config: c, env: e, memory: memory, plan: newPlan(c.Kinds, c.Jobs, c.Seed), began: time.Now()}
	hung, err := r.drive(ctx)
	switch {
	case len(hung) > 0:
		err = errors.Join(err, r.explain(hung))
	default:
		r.finalChecks(before)
	}
	return r.result(), err
}

// A run is one call of Run.
type run struct {
	Config
	*env
	memory *memoryCheck
	plan   *plan
	began  time.Time
	late   []*batch // the last batches of each driver, settled once more
	lateMu sync.Mutex
}

// drive runs all batches, and then closes the pools. It returns early if a driver hangs.
func (r *run) drive(ctx context.Context) (hung []progress, err error) {
	slots := make([]*slot, Drivers)
	for i := range slots {
		slots[i] = new(slot)
	}
	done, stop := make(chan struct{}), make(chan struct{})
	go func() {
		defer close(done)
		var drivers sync.WaitGroup
		for _, s := range slots {
			drivers.Go(func() { r.batches(ctx, s) })
		}
		drivers.Wait()
		r.closeAll(slots[0])
	}()
	watched, lines := make(chan []progress, 1), make(chan error, 1)
	go func() { watched <- newWatchdog(slots).watch(r.Patience, stop) }()
	go func() { lines <- r.lines(stop) }()
	select {
	case <-done:
		close(stop)
		<-watched
	case hung = <-watched:
		close(stop)
	}
	return hung, <-lines
}

// batches runs batches until the plan has no more, or ctx ends.
func (r *run) batches(ctx context.Context, s *slot) {
	var last []*batch
	for ctx.Err() == nil && !r.spoiled() {
		d, ok := r.plan.next()
		if !ok {
			break
		}
		b := r.newBatch(d)
		s.set(b, "")
		d.kind.run(b)
		r.tally(d.kind, b.finish())
		if last = append(last, b); len(last) > 8 {
			last[0].again()
			last = last[1:]
		}
	}
	s.set(nil, "")
	r.lateMu.Lock()
	r.late = append(r.late, last...)
	r.lateMu.Unlock()
}

// closeAll closes the pools that all batches share.
func (r *run) closeAll(s *slot) {
	r.plantAround()
	for _, p := range []*subject{r.p, r.q, r.exits} {
		s.set(nil, "Close of pool "+p.Name())
		for _, d := range r.env.close(p) {
			r.report(Defect{What: WrongCounter, Detail: d})
		}
	}
	for _, b := range r.late {
		b.again()
	}
	r.late = nil
	s.set(nil, "")
}

// finalChecks checks for memory and goroutines that are left.
func (r *run) finalChecks(before map[string]string) {
	if wrong := r.memory.look(readMemory()); wrong != "" {
		r.report(Defect{What: Memory, Detail: wrong})
	}
	if left := leaked(before); left != "" {
		r.report(Defect{What: Leak, Detail: left})
	}
	if wrong := r.memory.end(collected()); wrong != "" {
		r.report(Defect{What: Memory, Detail: wrong})
	}
}

// explain reports a hang.
func (r *run) explain(hung []progress) error {
	for _, p := range hung {
		d := Defect{What: Hang, Detail: p.String() + " for " + r.Patience.String()}
		r.report(d)
	}
	return r.dump(r.Progress)
}

func (r *run) result() Result {
	r.mu.Lock()
	defer r.mu.Unlock()
	result := Result{Elapsed: time.Since(r.began), Defects: r.defects, More: r.more, Peak: r.memory.peak}
	for _, k := range r.Kinds {
		t := Tally{Kind: k.Name}
		if a := r.tallies[k]; a != nil {
			t.Account = *a
		}
		result.Tallies = append(result.Tallies, t)
		result.Total.add(t.Account)
	}
	return result
}
