package pool_test

import (
	"fmt"
	"runtime"
	"slices"
	"strings"
	"testing"

	"github.com/rouse-go/rouse/pool"
	"github.com/rouse-go/rouse/sleep"
)

// Catches: a pool that New ought not to make, a message that does not say what is
// wrong, and a refused pool whose workers have been started (the leak check).
func TestNewRefuses(t *testing.T) {
	for _, c := range []struct {
		workers int
		options []pool.Option
		want    string
	}{
		{0, nil, "pool: New(0): sleep: 0 workers: want 1 to 65535 (the widths of the counters allow no more)"},
		{-3, nil, "pool: New(-3): sleep: -3 workers: want 1 to 65535 (the widths of the counters allow no more)"},
		{1 << 16, nil, "pool: New(65536): sleep: 65536 workers: want 1 to 65535 (the widths of the counters allow no more)"},
		{4, []pool.Option{pool.WithSleep(sleep.WithWidths(sleep.Widths{Sleeping: 2, Inactive: 2, JEC: 1}))},
			"pool: New(4): sleep: 4 workers: want 1 to 3 (the widths of the counters allow no more)"},
		{1, []pool.Option{pool.WithSleep(sleep.WithInitialJEC(1)), pool.WithSleep(sleep.WithRoundsUntilSleepy(-1))},
			"pool: New(1): sleep: -1 rounds until sleepy: want 0 to 1048576"},
		{1, []pool.Option{pool.WithDequeCapacity(0)}, "pool: WithDequeCapacity(0): want a power of two from 1 to 1048576"},
		{1, []pool.Option{pool.WithDequeCapacity(-4)}, "pool: WithDequeCapacity(-4): want a power of two from 1 to 1048576"},
		{1, []pool.Option{pool.WithDequeCapacity(6)}, "pool: WithDequeCapacity(6): want a power of two from 1 to 1048576"},
		{1, []pool.Option{pool.WithDequeCapacity(1 << 21)}, "pool: WithDequeCapacity(2097152): want a power of two from 1 to 1048576"},
	} {
		p, err := pool.New(c.workers, c.options...)
		if err == nil || err.Error() != c.want || p != nil {
			t.Errorf("%v, %v; want %q", p, err, c.want)
		}
	}
}

// Catches: a nil option that is called, or that hides those after it.
func TestNilOptionsAreIgnored(t *testing.T) {
	p := newPool(t, 1, nil, pool.WithName("named"), nil, pool.WithSleep(nil, sleep.WithInitialJEC(8), nil))
	if jec := p.Counters().JEC; p.Name() != "named" || jec < 8 {
		t.Errorf("pool %q, JEC %d; want the name and a JEC of 8 or more", p.Name(), jec)
	}
	run(t, p, func(w *pool.Worker) {
		var sizes []int
		pool.ForRange(w, 4, func(_ *pool.Worker, lo, hi int) { sizes = append(sizes, hi-lo) }, nil, pool.MinLen(4), nil)
		if !slices.Equal(sizes, []int{4}) {
			t.Errorf("leaves of %d elements, want one of 4", sizes)
		}
	})
}

// Catches: options of WithSleep that do not arrive, or of which only the last
// call's do.
func TestWithSleep(t *testing.T) {
	p := newPool(t, 3,
		pool.WithSleep(sleep.WithWidths(sleep.Widths{Sleeping: 2, Inactive: 2, JEC: 4})),
		pool.WithSleep(sleep.WithInitialJEC(15), sleep.WithRoundsUntilSleepy(0)))
	if p.Workers() != 3 {
		t.Errorf("%d workers", p.Workers())
	}
	asleep(p)
	if c := p.Counters(); c != (sleep.Counters{Sleeping: 3, Inactive: 3, JEC: 0}) {
		t.Errorf("%+v: want the JEC to have gone from 15 to 0, once for all three", c)
	}
	works(t, p)
}

// Catches: a pool that does not work with a JEC of one bit, which is always about
// to roll over.
func TestNarrowCounters(t *testing.T) {
	for workers := 1; workers <= 3; workers++ {
		for jec := range uint64(2) {
			p := newPool(t, workers, pool.WithSleep(
				sleep.WithWidths(sleep.Widths{Sleeping: 2, Inactive: 2, JEC: 1}),
				sleep.WithInitialJEC(jec), sleep.WithRoundsUntilSleepy(0)))
			for range 20 {
				works(t, p)
				asleep(p)
			}
		}
	}
}

// quiet waits until the pool is quiescent: every worker asleep, no notification
// under way. A state is read part by part, so it is read again then: what was read
// while the last worker fell asleep is older than its sleep.
func quiet(p *pool.Pool) pool.State {
	for {
		s := p.State()
		still := s.Counters.Sleeping == len(s.Workers)
		for _, w := range s.Workers {
			still = still && w.Asleep && !w.Notified
		}
		if still {
			return p.State()
		}
		runtime.Gosched()
	}
}

// Catches: a worker that never sleeps (this hangs), a state of a quiet pool that
// is not what it is, and a text that changes unnoticed.
func TestStateOfQuietPool(t *testing.T) {
	p := newPool(t, 2)
	got := quiet(p).String()
	want := strings.Join([]string{
		"pool: 2 workers, 2 inactive, 2 sleeping, JEC 0, 1 references",
		"worker 0: asleep, waits for jobs, until the pool ends, latch SLEEPING",
		"worker 1: asleep, waits for jobs, until the pool ends, latch SLEEPING",
		"",
	}, "\n")
	if got != want {
		t.Errorf("got:\n%swant:\n%s", got, want)
	}
}

// Catches: a state that does not name what a worker waits for, where the jobs
// are, or that the pool is closing.
func TestStateOfBusyPool(t *testing.T) {
	other := newPool(t, 1)
	p := newPool(t, 1)
	state := func(f func(w *pool.Worker)) string {
		var text string
		run(t, p, func(w *pool.Worker) {
			err := w.Run(other, func(*pool.Worker) error {
				for p.Counters().Sleeping == 0 {
					runtime.Gosched()
				}
				text = p.State().String()
				return nil
			})
			if err != nil {
				t.Error(err)
			}
			f(w)
		})
		return text
	}
	if got, want := state(func(*pool.Worker) {}), "worker 0: asleep, waits for its run in another pool, latch SLEEPING\n"; !strings.HasSuffix(got, want) {
		t.Errorf("got:\n%swant at its end:\n%s", got, want)
	}

	run(t, p, func(w *pool.Worker) {
		for range 3 {
			w.Go(func(*pool.Worker) {})
		}
		for range 2 {
			if err := p.Go(func(*pool.Worker) {}); err != nil {
				t.Error(err)
			}
		}
		s := p.State()
		if s.References != 7 || s.Injected != 2 || s.FirstInjected != 2 || s.Workers[0].Jobs != 3 {
			t.Errorf("%+v", s)
		}
		for _, want := range []string{"7 references; injector: 2 jobs, the first is number 2\n", "worker 0: runs a job; 3 jobs in its deque\n"} {
			if !strings.Contains(s.String(), want) {
				t.Errorf("%q is missing:\n%s", want, s)
			}
		}
	})
}

// Catches: a job on a worker's own deque that wakes no worker although the others
// sleep: nothing would be lost but the parallelism. With counters that cannot roll
// over here, the wake is certain, and over when Go, or Join's fork, returns.
func TestInternalJobsWakeSleepers(t *testing.T) {
	p := newPool(t, 2)
	wakes := func(f func()) uint64 {
		for p.Counters().Sleeping == 0 {
			runtime.Gosched()
		}
		before := p.Stats().Wakes
		f()
		return p.Stats().Wakes - before
	}
	run(t, p, func(w *pool.Worker) {
		if n := wakes(func() { w.Go(func(*pool.Worker) {}) }); n != 1 {
			t.Errorf("Go: %d wakes, want 1", n)
		}
		nothing := func(*pool.Worker) {}
		if n := wakes(func() { w.Join(nothing, nothing) }); n == 0 {
			t.Error("Join: no wake") // more: w itself may sleep, too, until b is done
		}
	})
}

// Catches: a job that is counted twice or not at all, sleeps and wakes that do not
// fit together, and counts that are not published at the end.
func TestStatsAfterClose(t *testing.T) {
	for workers := 1; workers <= 3; workers++ {
		p := openPool(t, workers)
		const runs = 20
		for range runs {
			run(t, p, func(w *pool.Worker) { fib(w, 10) })
			asleep(p)
		}
		if err := p.Broadcast(background, func(*pool.Worker) {}); err != nil {
			t.Error(err)
		}
		if err := p.Close(background); err != nil {
			t.Error(err)
		}
		s := p.Stats()
		const joins = 88 // of fib(10)
		if s.Joins != runs*joins || s.Injected != runs {
			t.Errorf("%d workers: %d joins, %d injected; want %d and %d", workers, s.Joins, s.Injected, runs*joins, runs)
		}
		// A b that its own worker takes back is no job taken from a queue.
		if s.Jobs < uint64(runs+workers) || s.Jobs > runs+uint64(workers)+s.Steals || s.Steals > s.Joins {
			t.Errorf("%d workers: %d jobs, %d steals", workers, s.Jobs, s.Steals)
		}
		if s.Sleeps != s.Wakes || s.Sleeps < runs || s.Spurious != 0 {
			t.Errorf("%d workers: %d sleeps, %d wakes, %d spurious", workers, s.Sleeps, s.Wakes, s.Spurious)
		}
		if c := p.Counters(); c.Sleeping != 0 || c.Inactive != 0 {
			t.Errorf("%d workers: at the end %+v", workers, c)
		}
		want := fmt.Sprintf("pool: %d workers, 0 inactive, 0 sleeping, JEC %d, 0 references, closing\n", workers, p.Counters().JEC)
		for i := range workers {
			want += fmt.Sprintf("worker %d: has ended\n", i)
		}
		if got := p.State().String(); got != want {
			t.Errorf("got:\n%swant:\n%s", got, want)
		}
	}
}
