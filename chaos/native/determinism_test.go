//go:build chaos

package native

import (
	"fmt"
	"maps"
	"math/rand/v2"
	"runtime"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/rouse-go/rouse/chaos"
	"github.com/rouse-go/rouse/hooks"
)

// disturbed is a plan with every kind of fault, none of them certain.
func disturbed() []chaos.Fault {
	return []chaos.Fault{
		{At: "native/at", Kind: hooks.Delays, Probability: 0.1, Max: 50 * time.Microsecond},
		{At: "native/at", Kind: hooks.Yields, Probability: 0.3},
		{At: "native/notify", Kind: hooks.Drops, Probability: 0.3},
		{At: "native/notify", Kind: hooks.Duplicates, Probability: 0.3},
		{At: "native/notify", Kind: hooks.Delays, Probability: 0.05, Min: 1, Max: 99},
		{At: "native/fail", Kind: hooks.Fails, Probability: 0.2},
		{At: "native/fail", Kind: hooks.SpuriousWakes, Probability: 0.2, Task: "worker 1"},
		{At: "native/value", Kind: hooks.Rolls, Probability: 0.5},
		{At: "native/value", Kind: hooks.Rolls, Probability: 0.1, By: 100, Task: "main/2"},
	}
}

// family runs a tree of tasks, each of which visits all points and takes its time
// at random in between. It returns what the verbs returned and what was recorded,
// by path.
func family(t *testing.T, seed uint64) map[string]string {
	e := arm(t, seed, disturbed()...)
	defer e.Disarm()
	var mu sync.Mutex
	got := map[string]string{}
	var all sync.WaitGroup
	var live func(path string, depth int)
	live = func(path string, depth int) {
		defer all.Done()
		if depth == 1 {
			hooks.Name("worker " + path[len(path)-1:])
		}
		var seen strings.Builder
		for i := range uint64(14) {
			for range rand.IntN(20) { // not seeded: timing differs from run to run
				runtime.Gosched()
			}
			fmt.Fprintln(&seen, verbs(i))
			if depth < 2 && i%4 == 0 {
				child := fmt.Sprintf("%s/%d", path, i/4)
				all.Add(1)
				go hooks.Task(func() { live(child, depth+1) })()
			}
		}
		mu.Lock()
		got[path] = seen.String()
		mu.Unlock()
	}
	all.Add(1)
	live("main", 0)
	all.Wait()
	for _, task := range e.Events() {
		var values strings.Builder
		for _, v := range task.Events {
			v.After = 0
			fmt.Fprintln(&values, v)
		}
		got[task.Path] += values.String()
	}
	return got
}

func TestSameSeedSameDecisions(t *testing.T) {
	want := family(t, 7)
	if len(want) != 1+4+16 {
		t.Fatalf("%d tasks, want 21", len(want))
	}
	for _, procs := range []int{1, 2, 4, 4, 4} {
		before := runtime.GOMAXPROCS(procs)
		got := family(t, 7)
		runtime.GOMAXPROCS(before)
		for path := range want {
			if got[path] != want[path] {
				t.Errorf("GOMAXPROCS=%d: %s did\n%s\nwant\n%s", procs, path, got[path], want[path])
			}
		}
	}
}

func TestDifferentSeedsDiffer(t *testing.T) {
	var runs []map[string]string
	for seed := range uint64(6) {
		run := family(t, seed)
		for other, earlier := range runs {
			if maps.Equal(run, earlier) {
				t.Errorf("seeds %d and %d decide alike", seed, other)
			}
			for path := range run {
				if run[path] == earlier[path] {
					t.Errorf("seeds %d and %d decide alike for %s", seed, other, path)
				}
			}
		}
		runs = append(runs, run)
	}
	seen := map[string]string{}
	for path, did := range runs[0] {
		if other, ok := seen[did]; ok {
			t.Errorf("%s and %s decide alike", path, other)
		}
		seen[did] = path
	}
}
