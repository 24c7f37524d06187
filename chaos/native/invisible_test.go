//go:build race && chaos

package native

import (
	"bytes"
	"os"
	"os/exec"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/rouse-go/rouse/chaos"
	"github.com/rouse-go/rouse/hooks"
	"github.com/rouse-go/rouse/internal/racing"
)

// The race detector knows order, not time: it reports two accesses that no chain
// of synchronisation connects, however far apart they are. So the programs below
// need no luck. Two goroutines write the same variable one after the other, the
// order being kept by a baton that the detector does not see, and visit hooks in
// between. If a hook left a trace behind, the first writer's would be found by
// the second, and the race would go unreported.

var (
	shared  int        // what the writers write
	honest  sync.Mutex // guards it in the honest program
	visible atomic.Int64
	baton   atomic.Int64
)

// pass hands the baton over.
//
//go:norace
func pass(to int64) {
	racing.Hide()
	baton.Store(to)
	racing.Show()
}

// await waits for the baton.
//
//go:norace
func await(turn int64) {
	for {
		racing.Hide()
		now := baton.Load()
		racing.Show()
		if now == turn {
			return
		}
		time.Sleep(time.Millisecond) // creates no edge
	}
}

// everything visits hooks with each verb, more often than a ring of events has
// slots, under a plan in which everything fires sometimes and some of it always;
// it takes a name, and starts and ends a task.
func everything() {
	hooks.Name("writer")
	for range 2 * ringSize {
		quietly()
	}
	hooks.Task(quietly)()
}

// quietly visits each point and makes no edge of its own. (Package fmt does: it
// keeps its buffers in a sync.Pool.)
func quietly() {
	hooks.At(atPoint)
	hooks.Notify(notifyPoint)
	hooks.Fail(failPoint)
	hooks.Value(valuePoint, 7)
}

// armed runs the program with an engine.
func armed(program func(e *Engine)) func() {
	return func() {
		faults := append(disturbed(),
			chaos.Fault{At: "native/at", Kind: hooks.Delays, Max: time.Millisecond, Count: 3},
			chaos.Fault{At: "native/at", Kind: hooks.Yields, Every: 2, Task: "*"},
			chaos.Fault{At: "native/at", Kind: hooks.Delays, Max: 50, Min: 1, Mean: 2, Shape: chaos.Pareto, Task: "main/*"},
			chaos.Fault{At: "native/fail", Kind: hooks.Holds, Until: "native/value", Max: time.Millisecond, Count: 5},
			chaos.Fault{At: "native/notify", Kind: hooks.Drops, Probability: 0.5, Count: 20},
			chaos.Fault{At: "native/value", Kind: hooks.Rolls, Task: "writer", Count: 100})
		e, err := Arm(chaos.Plan{Seed: 1, Faults: faults})
		if err != nil {
			panic(err)
		}
		program(e)
		e.Disarm()
	}
}

// inTurns runs the writers as goroutines, each after the one before it. All stay
// until the last has written: of a goroutine that has ended, the detector soon
// forgets where it was, and then keeps to itself what it knows.
func inTurns(start func(func()) func(), writers ...func()) {
	var all sync.WaitGroup
	for i, write := range writers {
		all.Add(1)
		go start(func() {
			defer all.Done()
			await(int64(i))
			write()
			pass(int64(i + 1))
			await(int64(len(writers)))
		})()
	}
	all.Wait()
}

func asIs(f func()) func() { return f }

func init() {
	// A race that is there: the hooks are between the two writes.
	planted := func(start func(func()) func()) func(*Engine) {
		return func(*Engine) {
			inTurns(start,
				func() { shared = 1; everything() },
				func() { everything(); shared = 2 })
		}
	}
	programs["planted, tasks"] = armed(planted(hooks.Task))
	programs["planted, foreign"] = armed(planted(asIs))
	programs["planted, no engine"] = func() { planted(asIs)(nil) }

	// The first task ends, and the next begins, between the two writes.
	programs["planted, end and start"] = armed(func(*Engine) {
		inTurns(asIs,
			func() { hooks.Task(func() { shared = 1; everything() })() },
			func() { hooks.Task(func() { everything(); shared = 2 })() })
	})

	// Someone looks at the engine between the two writes.
	programs["planted, observed"] = armed(func(e *Engine) {
		inTurns(hooks.Task,
			func() { shared = 1; everything() },
			func() { observe(e) },
			func() { everything(); observe(e); shared = 2 })
	})

	// The delay of one is cut short by the other's Disarm.
	programs["planted, disarmed"] = func() {
		e, err := Arm(chaos.Plan{Faults: []chaos.Fault{{At: "native/at", Kind: hooks.Delays, Min: time.Hour, Max: time.Hour}}})
		if err != nil {
			panic(err)
		}
		var both sync.WaitGroup
		both.Add(2)
		go hooks.Task(func() { defer both.Done(); hooks.At(atPoint); shared = 2 })()
		go hooks.Task(func() {
			defer both.Done()
			for e.Injecting() == 0 {
				time.Sleep(time.Millisecond)
			}
			shared = 1
			e.Disarm()
		})()
		both.Wait()
	}

	// The first is held until the second passes a point, which orders them in fact, but
	// not for the detector.
	programs["planted, held"] = func() {
		e, err := Arm(chaos.Plan{Faults: []chaos.Fault{{At: "native/at", Kind: hooks.Holds, Until: "native/notify", Max: time.Hour}}})
		if err != nil {
			panic(err)
		}
		var both sync.WaitGroup
		both.Add(2)
		go hooks.Task(func() { defer both.Done(); hooks.At(atPoint); shared = 2 })()
		go hooks.Task(func() {
			defer both.Done()
			for e.Injecting() == 0 {
				time.Sleep(time.Millisecond)
			}
			shared = 1
			hooks.Notify(notifyPoint)
		})()
		both.Wait()
		e.Disarm()
	}

	// No race: a mutex orders the two.
	programs["honest"] = armed(func(*Engine) {
		inTurns(hooks.Task,
			func() {
				everything()
				honest.Lock()
				shared = 1
				everything()
				honest.Unlock()
				everything()
			},
			func() {
				everything()
				honest.Lock()
				everything()
				shared = 2
				honest.Unlock()
				everything()
			})
	})

	// The planted race again, and in between what a careless engine would do: one
	// atomic that the detector sees. It must hide the race, or the other programs
	// would prove nothing.
	programs["careless"] = armed(func(*Engine) {
		inTurns(hooks.Task,
			func() { shared = 1; everything(); visible.Add(1) },
			func() { visible.Load(); everything(); shared = 2 })
	})

	// Nothing is shared; all that could be reported is the engine's own.
	programs["crowd"] = armed(func(e *Engine) {
		var all sync.WaitGroup
		for i := range 200 {
			all.Add(1)
			body := func() { defer all.Done(); everything() }
			if i%3 != 0 {
				body = hooks.Task(body)
			}
			go body()
			if i%20 == 0 {
				observe(e)
			}
		}
		all.Wait()
		observe(e)
	})
}

// observe reads all that can be read of an engine, down to the last byte.
func observe(e *Engine) {
	sum := e.Progress() + uint64(e.Injecting())
	for _, p := range e.Counts().Points {
		sum += p.Hits
	}
	for _, b := range []byte(Timeline(e.Events())) {
		sum += uint64(b)
	}
	seen(sum)
}

//go:noinline
func seen(uint64) {}

func TestTheRaceDetectorSeesThroughTheEngine(t *testing.T) {
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	const report = "WARNING: DATA RACE"
	for name, races := range map[string]int{
		"planted, tasks":         1,
		"planted, foreign":       1,
		"planted, no engine":     1,
		"planted, end and start": 1,
		"planted, observed":      1,
		"planted, disarmed":      1,
		"planted, held":          1,
		"honest":                 0,
		"careless":               0,
		"crowd":                  0,
	} {
		t.Run(name, func(t *testing.T) {
			cmd := exec.Command(self)
			cmd.Env = append(os.Environ(), programVar+"="+name, "GORACE=halt_on_error=0 exitcode=66 atexit_sleep_ms=10")
			var out bytes.Buffer
			cmd.Stdout, cmd.Stderr = &out, &out
			err := cmd.Run()
			if got := strings.Count(out.String(), report); got != races {
				t.Errorf("%d races were reported, want %d:\n%s", got, races, out.String())
			}
			if failed := err != nil; failed != (races > 0) || failed && cmd.ProcessState.ExitCode() != 66 {
				t.Errorf("the program ended with %v:\n%s", err, out.String())
			}
			if races > 0 && !strings.Contains(out.String(), "native.init") {
				t.Errorf("the report does not name the writers:\n%s", out.String())
			}
		})
	}
}
