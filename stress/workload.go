package stress

import (
	"cmp"
	"context"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	gosync "sync" // of the oracles, which no engine is to see
	"sync/atomic"

	"github.com/rouse-go/rouse/chaos/native"
	"github.com/rouse-go/rouse/hooks"
	"github.com/rouse-go/rouse/hooks/sync"
	"github.com/rouse-go/rouse/hooks/time"
	"github.com/rouse-go/rouse/pool"
	"github.com/rouse-go/rouse/sleep"
)

// A Workload is what is done to the subject. Its goroutines do nothing to each other
// but by package hooks, so that it runs under control as well.
type Workload struct {
	Name, About string
	// Uses are the keys of the sizes that the workload takes.
	Uses []string
	// defaults are the sizes that a scenario leaves out; small likewise under control,
	// where each interleaving counts, and a pause would let everybody come to rest.
	defaults, small Sizes
	// bound is for each size that may be less than mostSizes say; boundWhy what the workload does
	// that makes it so.
	bound    Sizes
	boundWhy string
	// spares are the spare workers that it may need at a time, beside a pool's own; nil: none.
	spares func(s Sizes) int
	// most is the largest pool that it makes sense with; 0 is no bound. least
	// likewise; 0 is 1.
	least, most int
	run         func(x *execution)
	params      []Param // of another subject than the pool
}

// Workloads lists the workloads, by name.
func Workloads() []Workload {
	all := []Workload{
		blockingWorkload, broadcastWorkload, burstWorkload, burstThreadsWorkload, cancelWorkload, churnWorkload,
		crowdWorkload, incrementWorkload, injectWorkload, isolatedWorkload, joinWorkload, leaversWorkload, loopsWorkload, meetWorkload,
		meetInsideWorkload, mutualWorkload, nbodyWorkload, panicsWorkload, programWorkload, scopesWorkload, stormWorkload,
		storyWorkload, trickleWorkload, wakeupsWorkload,
	}
	slices.SortFunc(all, func(a, b Workload) int { return strings.Compare(a.Name, b.Name) })
	return all
}

// An execution is one run of a workload, as the workload sees it.
type execution struct {
	scenario *Scenario
	sizes    Sizes
	workers  int
	seed     uint64
	// controlled: one task at a time, and time is virtual.
	controlled bool
	spares     int // workers that a pool may have beside its own
	jobs       ledger
	before     native.Bystanders // not under control

	// pools are in order of creation, those that are closed included. The slice is
	// replaced, never changed, so that looking at it orders nobody.
	pools atomic.Pointer[[]*pool.Pool]
	burst atomic.Pointer[bursts] // a pool/burst, beside them
	guest atomic.Pointer[look]   // how another subject is looked at

	mu    gosync.Mutex // never held over an operation of package hooks
	wrong []finding
}

// A finding is what an oracle holds against an execution.
type finding struct {
	verdict Verdict
	summary string
}

// newPool builds the subject as the scenario says.
func (x *execution) newPool(workers int, more ...pool.Option) *pool.Pool {
	spec := x.scenario.Pool
	jecBits, threadBits := spec.Widths()
	variant, _ := sleep.VariantNamed(cmp.Or(spec.Sleep, sleep.Variants()[0].Name)) // the loader has checked it
	strategy := variant.Options
	if spec.Rounds != nil {
		strategy = append(strategy, sleep.WithRoundsUntilSleepy(*spec.Rounds))
	}
	options := []pool.Option{pool.WithSleep(strategy...), pool.WithSleep(
		sleep.WithWidths(sleep.Widths{Sleeping: threadBits, Inactive: threadBits, JEC: jecBits}),
		sleep.WithInitialJEC(spec.InitialJEC),
	)}
	if spec.DequeCapacity != 0 {
		options = append(options, pool.WithDequeCapacity(spec.DequeCapacity))
	}
	if spec.MaxInjected != 0 {
		options = append(options, pool.WithMaxInjected(spec.MaxInjected))
	}
	options = append(options, more...)
	if n := len(x.subjects()); n > 0 {
		options = append(options, pool.WithName(fmt.Sprint("pool ", n)))
	}
	p, err := pool.New(workers, options...)
	if err != nil {
		panic(err) // the loader has checked the scenario
	}
	x.mu.Lock()
	defer x.mu.Unlock()
	pools := append(slices.Clone(x.subjects()), p)
	x.pools.Store(&pools)
	return p
}

// subjects returns the pools built so far.
func (x *execution) subjects() []*pool.Pool {
	if pools := x.pools.Load(); pools != nil {
		return *pools
	}
	return nil
}

// close closes the pool and looks at what it leaves.
func (x *execution) close(p *pool.Pool) { x.closeBy(p, (*pool.Pool).Close) }

// closeBy is close, with that function.
func (x *execution) closeBy(p *pool.Pool, end func(p *pool.Pool, ctx context.Context) error) {
	if err := end(p, context.Background()); err != nil {
		x.convict(WrongResult, "Close: %v", err)
	}
	x.find(closedPool(p.State()))
}

// find notes what an oracle has found.
func (x *execution) find(wrong []finding) {
	x.mu.Lock()
	defer x.mu.Unlock()
	if len(x.wrong) < maxFindings { // a broken counter is seen by each job
		x.wrong = append(x.wrong, wrong...)
	}
}

// maxFindings are enough of one execution.
const maxFindings = 100

// sample looks at the counters of all pools as they are now.
func (x *execution) sample() {
	for _, p := range x.subjects() {
		if f, ok := brokenCounters(p.Counters(), p.Workers()+x.spares); ok {
			x.convict(f.verdict, "%s", f.summary)
		}
	}
}

// convict notes what the workload itself has found to be wrong.
func (x *execution) convict(v Verdict, format string, args ...any) {
	x.find([]finding{{v, fmt.Sprintf(format, args...)}})
}

// rand returns a generator of its own for the part of the workload that has that
// name: what one part draws depends on no other.
func (x *execution) rand(part string) *rand.Rand {
	return rand.New(rand.NewPCG(x.seed, executionSeed(x.seed, part, 0)))
}

// defaultPause is long enough for a worker to fall asleep in: some thirty searches
// and as many yields.
const defaultPause = 300 * time.Microsecond

// pause sleeps for a random time up to the scenario's pause, so that workers fall
// asleep, and takes a sample of the counters.
func (x *execution) pause(r *rand.Rand) {
	if d := x.sizes.Pause; d > 0 {
		time.Sleep(time.Duration(r.Int64N(int64(d) + 1)))
	}
	x.sample()
}

// maxPolls is how often until looks under control before it lets all others go first, once: a
// condition that takes a lock is no poll to the engine, and an unfair strategy stays with it.
const maxPolls = 100

// until waits for a condition that the subject is to bring about.
func (x *execution) until(condition func() bool) {
	for i := 1; !condition(); i++ {
		if x.controlled && i != maxPolls { // time would pass only when nobody else can go on
			hooks.Gosched()
			continue
		}
		time.Sleep(20 * time.Microsecond)
	}
}

// maxHopes is how often hopes looks.
const maxHopes = 100

// hopes waits for a while for a condition that would be good and need not be. It returns whether it
// holds.
func (x *execution) hopes(condition func() bool) bool {
	for range maxHopes {
		if condition() {
			return true
		}
		if x.controlled { // time would pass only when nobody else can go on
			hooks.Gosched()
			continue
		}
		time.Sleep(20 * time.Microsecond)
	}
	return false
}

// A crew is a set of goroutines that the workload waits for.
type crew struct{ sync.WaitGroup }

// start runs f on a goroutine of that name.
func (c *crew) start(name string, f func()) {
	c.Add(1)
	task := hooks.Task(func() {
		defer c.Done()
		if hooks.Enabled {
			hooks.Name(name)
		}
		f()
	})
	go task()
}
