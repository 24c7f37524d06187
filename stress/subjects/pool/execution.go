package pool

import (
	"context"
	"fmt"
	"math/rand/v2"
	"slices"
	"strconv"
	gosync "sync" // of the oracles, which no engine is to see
	"sync/atomic"

	"github.com/rouse-go/rouse/chaos/native"
	"github.com/rouse-go/rouse/chaos/verdict"
	"github.com/rouse-go/rouse/hooks"
	"github.com/rouse-go/rouse/hooks/time"
	"github.com/rouse-go/rouse/pool"
	"github.com/rouse-go/rouse/sleep"
	"github.com/rouse-go/rouse/stress/subject"
)

// An execution is the subject of one execution: the pools that a workload builds, and the state
// that it needs to use them.
type execution struct {
	*subject.Execution
	sizes   sizes
	workers int
	spares  int               // additional workers that a pool may have
	before  native.Bystanders // not under control

	// built holds the pools in order of creation, including closed ones. The slice is
	// replaced, never changed, so that reading it orders no two goroutines.
	built   atomic.Pointer[[]*pool.Pool]
	latches atomic.Pointer[latches] // of the workload without a pool
	shares  atomic.Int64            // of broadcasts, of the workload that counts them
	mu      gosync.Mutex            // never held over an operation of package hooks
}

// newExecution is the target's New.
func newExecution(e *subject.Execution) *execution {
	x := &execution{Execution: e, sizes: sizesOf(e.Values), workers: e.Count("workers")}
	if !e.Controlled() {
		x.before = native.Baseline()
	}
	return x
}

// sizes holds the parameters of a workload; a parameter that it does not have is 0.
type sizes struct {
	jobs      int           // of each injector, spawns of each scope
	injectors int           // goroutines that post from outside
	depth     int           // of recursion or nesting
	leaf      int           // maximum number of elements in a leaf of a loop or of a reduction
	repeat    int           // how often the workload is repeated on one pool
	pause     time.Duration // between posts, so that workers fall asleep
}

// sizesOf reads the parameters that the workload has.
func sizesOf(v subject.Values) (s sizes) {
	count := func(name string) int {
		if !v.Has(name) {
			return 0
		}
		return v.Count(name)
	}
	s = sizes{jobs: count("jobs"), injectors: count("injectors"), depth: count("depth"), leaf: count("leaf"), repeat: count("repeat")}
	if v.Has("pause") {
		s.pause = v.Span("pause")
	}
	return s
}

// newPool builds a pool with the scenario's parameters.
func (x *execution) newPool(workers int, more ...pool.Option) *pool.Pool {
	options := []pool.Option{pool.WithSleep(x.strategy()...)}
	if x.Given("deque-capacity") {
		options = append(options, pool.WithDequeCapacity(x.Count("deque-capacity")))
	}
	if x.Given("max-injected") {
		options = append(options, pool.WithMaxInjected(x.Count("max-injected")))
	}
	options = append(options, more...)
	if n := len(x.pools()); n > 0 {
		options = append(options, pool.WithName(fmt.Sprint("pool ", n)))
	}
	p, err := pool.New(workers, options...)
	if err != nil {
		panic(err) // the parameters have been checked
	}
	x.knows(p)
	return p
}

// strategy returns the options of package sleep for the scenario's parameters.
func (x *execution) strategy() []sleep.Option {
	variant, _ := sleep.VariantNamed(x.Variant())
	jecBits, threadBits := widths(x.Values)
	jec, _ := initialJEC(x.Text("initial-jec"), jecBits) // it has been checked
	options := append(slices.Clone(variant.Options),
		sleep.WithWidths(sleep.Widths{Sleeping: threadBits, Inactive: threadBits, JEC: jecBits}), sleep.WithInitialJEC(jec))
	if x.Given("rounds") {
		options = append(options, sleep.WithRoundsUntilSleepy(x.Count("rounds")))
	}
	return options
}

// knows adds the pool to those that the oracles check.
func (x *execution) knows(p *pool.Pool) {
	x.mu.Lock()
	defer x.mu.Unlock()
	if pools := x.pools(); !slices.Contains(pools, p) {
		pools = append(slices.Clone(pools), p)
		x.built.Store(&pools)
	}
}

// widths returns the widths of the counters, with the defaults filled in.
func widths(v subject.Values) (jecBits, threadBits int) {
	jecBits, threadBits = sleep.ProductionWidths.JEC, sleep.ProductionWidths.Inactive
	if v.Given("jec-bits") {
		jecBits = v.Count("jec-bits")
	}
	if v.Given("thread-bits") {
		threadBits = v.Count("thread-bits")
	}
	return jecBits, threadBits
}

// initialJEC parses the initial value of the jobs event counter; max is the last value before it wraps.
func initialJEC(text string, bits int) (jec uint64, ok bool) {
	most := uint64(1)<<bits - 1
	switch text {
	case "":
		return 0, true
	case "max":
		return most, true
	}
	jec, err := strconv.ParseUint(text, 0, 64)
	return jec, err == nil && jec <= most
}

// pools returns the pools built so far.
func (x *execution) pools() []*pool.Pool {
	if pools := x.built.Load(); pools != nil {
		return *pools
	}
	return nil
}

// close closes the pool and checks its final state.
func (x *execution) close(p *pool.Pool) { x.closeBy(p, (*pool.Pool).Close) }

// closeBy is like close, but calls end.
func (x *execution) closeBy(p *pool.Pool, end func(p *pool.Pool, ctx context.Context) error) {
	if err := end(p, context.Background()); err != nil {
		x.Fail(verdict.WrongResult, "Close: %v", err)
	}
	x.closed(p)
}

// closed checks the final state of a pool whose Close has returned. The statistics are final if no worker is left.
func (x *execution) closed(p *pool.Pool) {
	wrong := closedPool(p.State())
	if len(wrong) == 0 {
		wrong = sleepStats(p.Stats(), x.Variant())
	}
	x.report(wrong)
}

// report reports the findings of an oracle.
func (x *execution) report(wrong []subject.Finding) {
	for _, f := range wrong {
		x.Fail(f.Verdict, "%s", f.Summary)
	}
}

// sample checks the current counters of all pools.
func (x *execution) sample() {
	for _, p := range x.pools() {
		if f, ok := brokenCounters(p.Counters(), p.Workers()+x.spares); ok {
			x.Fail(f.Verdict, "%s", f.Summary)
		}
	}
}

// An entry is a job of a pool, which counts how often it runs and samples the counters then.
type entry struct {
	name string
	runs atomic.Int32
	job  *subject.Job // nil: it need not run
	look func()       // not under control
}

func (e *entry) ran() {
	e.runs.Add(1)
	if e.job != nil {
		e.job.Done()
	}
	if e.look != nil {
		e.look()
	}
}

// open enters n jobs that the poster will post, each of which must run exactly once.
func (x *execution) open(poster string, n int) []entry {
	jobs := x.Jobs(poster, n)
	entries := make([]entry, n)
	for i := range entries {
		e := &entries[i]
		e.name, e.job = jobs[i].Name(), &jobs[i]
		if !x.Controlled() {
			e.look = x.sample
		}
	}
	return entries
}

// defaultPause is long enough for a worker to fall asleep: some thirty searches
// and as many yields.
const defaultPause = 300 * time.Microsecond

// pause sleeps for a random time up to the scenario's pause, so that workers fall
// asleep, and samples the counters.
func (x *execution) pause(r *rand.Rand) {
	if d := x.sizes.pause; d > 0 {
		time.Sleep(time.Duration(r.Int64N(int64(d) + 1)))
	}
	x.sample()
}

// maxPolls is how often until polls under control before it sleeps once, so that all others go first: the
// engine does not recognize a condition that takes a lock as a poll, and an unfair strategy stays with it.
const maxPolls = 100

// until waits for a condition that the pool should bring about.
func (x *execution) until(condition func() bool) {
	for i := 1; !condition(); i++ {
		if x.Controlled() && i != maxPolls { // time would pass only when no task can continue
			hooks.Gosched()
			continue
		}
		time.Sleep(20 * time.Microsecond)
	}
}

// bestEffortPolls is how often bestEffort polls.
const bestEffortPolls = 100

// bestEffort waits for a while for a condition that is useful but may never hold. It reports
// whether it holds.
func (x *execution) bestEffort(condition func() bool) bool {
	for range bestEffortPolls {
		if condition() {
			return true
		}
		if x.Controlled() { // time would pass only when no task can continue
			hooks.Gosched()
			continue
		}
		time.Sleep(20 * time.Microsecond)
	}
	return false
}
