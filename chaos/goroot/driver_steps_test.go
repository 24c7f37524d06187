package goroot

import (
	"strings"
	"testing"

	"github.com/rouse-go/rouse/chaos/goroot/wire"
	"github.com/rouse-go/rouse/chaos/verdict"
)

// Catches: a lock, channel or map within an operation of the standard library at which another goroutine can run: a search tries
// all orders of that, and finds nothing by it. And a look at the time that is that of package testing: a search of
// a test that looks is not complete.
func testDriverSteps(t *testing.T, b *testBinary) {
	for _, c := range []struct {
		test string
		want int // executions, of which each has an order that no other has
	}{
		{"TestStepsFolder", 29}, // the folder is removed in steps: another goroutine may still write to it
		{"TestStepsRun", 7},
		{"TestStepsParallel", 666},
		{"TestStepsMap", 11}, // ten steps
		{"FuzzSteps", 14},
	} {
		r := explore(c.test, 5000)
		r.Settings.Strategy, r.Settings.Clock = "dfs", "lazy"
		if a := b.one(t, r); a.Kind != wire.Explored || a.Counts.Executions != c.want || strings.Contains(a.Exhausted, "time did not pass") {
			t.Errorf("%s: %+v, want %d executions", c.test, a, c.want)
		}
	}
}

// Catches: a search of all orders that is called complete, though it is one only for what was drawn, or for executions
// that find what earlier ones have left in package variables.
func testDriverComplete(t *testing.T, b *testBinary) {
	for _, c := range []struct{ test, left string }{
		{"TestStepsRun", ""},
		{"TestStepsOneKey", ""},
		{"TestStepsMapSeed", ""},
		{"TestStepsOwnSource", ""},
		{"TestStepsSource", "drew at random"},
		{"TestStepsDraw", "drew at random"},
		{"TestStepsRand", "drew at random"},
		{"TestStepsRandV2", "drew at random"},
		{"TestStepsHash", "drew at random"},
		{"TestStepsBytes", "drew at random"},
		{"TestStepsCount", "the number of goroutines"},
		{"TestStepsRange", "drew at random"},
		{"TestStepsRangeOne", ""},
		{"TestStepsPools", "a sync.Pool"},
		{"TestStepsPool", "a sync.Pool"},
		{"TestStepsPut", ""},
		{"TestStepsPrint", ""},
	} {
		for _, by := range []string{"dfs", "dpor"} {
			r := explore(c.test, 100)
			r.Settings.Strategy, r.Settings.Clock = by, "lazy"
			a := b.one(t, r)
			if complete := strings.Contains(a.Exhausted, "explored all there is"); complete != (c.left == "") || !strings.Contains(a.Exhausted, c.left) {
				t.Errorf("%s: %s by %s is %q, want %q left out", c.test, a.Kind, by, a.Exhausted, c.left)
			}
		}
	}
	if a := b.one(t, explore("TestStepsHours", 20)); a.Kind != wire.Explored || len(a.Counts.Evidence.Uncontrolled) > 0 {
		t.Errorf("%+v: a timer of the engine's own is called one of a goroutine outside", a)
	}
	for seed := range uint64(12) { // of a mixed clock no execution of a search has early timers, whatever the seed
		r := explore("TestEarlyExpiry", 300)
		r.Settings.Seed, r.Settings.Strategy = seed, "dpor"
		if a := b.one(t, r); a.Kind != wire.Explored || a.Counts.Evidence.Early > 0 {
			t.Errorf("seed %d: %+v", seed, a)
		}
	}
	for _, test := range []string{"TestStepsOnce", "TestStepsSkips"} {
		r := explore(test, 100)
		r.Settings.Strategy, r.Settings.Clock = "dfs", "lazy"
		if a := b.one(t, r); a.Differs != wire.DiffersInVerdict || a.Exhausted != "" {
			t.Errorf("%s: %+v, want that each execution has a process", test, a)
		}
	}
}

// Catches: a search that is called complete though package testing has decided what a test can see, and one that is not
// though it has decided nothing of that, or there is no other order.
func testDriverAsides(t *testing.T, b *testBinary) {
	for tests, complete := range map[string]string{
		"Aside: Run RunWithoutName RunNumber RunBelow RunOfParallel Cleanup CleanupAtEnd CleanupOfParent Setenv TempDir ArtifactDir Skip SkipAtEnd " +
			"Context ContextPoll ContextChild ContextCause ContextAfter ContextSubtest Parallel CreateTemp MkdirTemp": "",
		"Asides: One Folders Temp Log Names Numbers Parallel Parent":                               "dfs dpor",
		"Ordered: Cleanup Context ContextChild ContextWaits":                                       "dpor",
		"Closes: Write WriteAt Read ReadAt Stat Sync Seek Chmod Truncate Chdir Fd Close Conn Pipe": "",
		"Closed: After": "dpor",
		"Closed: Other": "dfs dpor",
	} {
		prefix, names, _ := strings.Cut(tests, ":")
		for _, name := range strings.Fields(names) {
			name = "Test" + prefix + name
			for _, by := range []string{"dfs", "dpor"} {
				r := explore(name, 100_000)
				r.Settings.Strategy, r.Settings.Clock = by, "lazy"
				if by == "dfs" {
					r.Settings.Strategy, r.To = "dfs(1)", 3000
				}
				a := b.ask(t, []string{"-test.parallel=2"}, r).answers[0]
				found := strings.Contains(a.Exhausted, "which of several tasks came first")
				if a.Exhausted == "" || found == strings.Contains(complete, by) {
					t.Errorf("%s: %s by %s, %d executions: %q, %+v", name, a.Kind, by, a.Counts.Executions, a.Exhausted, a.Failure)
				}
			}
		}
	}
}

// Catches: a seed of a fuzz test that is stuck, and whose output is lost.
func testDriverStuckSeed(t *testing.T, b *testBinary) {
	a := b.one(t, explore("FuzzStuck", 10))
	if f := a.Failure; a.Kind != wire.Failed || f.Verdict != verdict.Deadlock || !strings.Contains(f.Output, "--- has not ended: FuzzStuck/seed#0\n") || !strings.Contains(f.Output, ": stuck\n") {
		t.Errorf("%+v, %+v", a, f)
	}
}
