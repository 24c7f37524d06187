//go:build chaos

package control

import (
	"maps"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/rouse-go/rouse/chaos/verdict"
	"github.com/rouse-go/rouse/hooks"
	"github.com/rouse-go/rouse/internal/racing"
)

// start returns an engine that is closed when the test is over. It waits for nothing
// outside, unless it is asked to: tests have thousands of engines, stuck most of them.
func start(t testing.TB, o Options) *Engine {
	t.Helper()
	if o.Grace == 0 {
		o.Grace = -1
	}
	e, err := New(o)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(e.Close)
	return e
}

// bySwitch runs a test under each mechanism.
func bySwitch(t *testing.T, f func(t *testing.T, how Switch)) {
	for _, how := range []Switch{Coroutines, Channels} {
		if how == Coroutines && racing.Detector {
			continue // the detector would be blind to it
		}
		name := "coroutines"
		if how == Channels {
			name = "channels"
		}
		t.Run(name, func(t *testing.T) { f(t, how) })
	}
}

// tasks runs each function in a task of its own and waits for none of them.
func tasks(fs ...func()) {
	for _, f := range fs {
		go hooks.Task(f)()
	}
}

// outcomes runs the subject under many schedules and returns what it came to: what
// it says, or its verdict if that is no pass.
func outcomes(t *testing.T, how Switch, executions int, subject func(say func(string))) map[string]int {
	t.Helper()
	e := start(t, Options{Switch: how, MaxSpins: 1_000}) // as few as the models bear, for those that spin for ever
	defer e.Close()
	all := make(map[string]int)
	for n := range executions {
		var mu sync.Mutex // the tasks that say something need not be ordered
		var said []string
		r, _ := e.Run(uint64(n), func() {
			subject(func(s string) {
				mu.Lock()
				said = append(said, s)
				mu.Unlock()
			})
		})
		what := strings.Join(said, " ")
		if r.Verdict != verdict.Pass {
			what = string(r.Verdict)
		}
		all[what]++
	}
	return all
}

// want checks that the outcomes are just these.
func want(t *testing.T, got map[string]int, names ...string) {
	t.Helper()
	slices.Sort(names)
	if found := slices.Sorted(maps.Keys(got)); !slices.Equal(found, names) {
		t.Errorf("outcomes %q, want %q", found, names)
	}
}
