//go:build chaos

package control

import (
	"bufio"
	"bytes"
	"cmp"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/rouse-go/rouse/chaos/internal/core"
	"github.com/rouse-go/rouse/chaos/strategy"
	"github.com/rouse-go/rouse/chaos/verdict"
)

// slopeOf names what TestCountedSteps is to run: a strategy, or replay, the number of tasks, and whether waiters are
// groups.
const slopeOf = "ROUSE_SLOPE"

// TestCountedSteps is what TestStepsDoNotGrow counts the statements of. It prints the number of steps.
func TestCountedSteps(t *testing.T) {
	name, tasks, grouped := "random", 8, true
	if what := os.Getenv(slopeOf); what != "" {
		if _, err := fmt.Sscan(what, &name, &tasks, &grouped); err != nil {
			t.Fatal(err)
		}
	}
	if least := core.LeastGroup; !grouped {
		core.LeastGroup = 1 << 30
		defer func() { core.LeastGroup = least }()
	}
	repeats := name == "replay"
	if repeats {
		name = "random"
	}
	s := strategy.Newest()
	if name != s.Name() {
		var err error
		if s, err = strategy.Parse(name); err != nil {
			t.Fatal(err)
		}
	}
	e, err := New(Options{Strategy: s})
	if err != nil {
		t.Fatal(err)
	}
	defer e.Close()
	steps := 0
	for seed := range uint64(2) { // the first one is the profile
		r, _ := e.Run(seed, lockers(e, tasks, false))
		if r.Verdict != verdict.Pass {
			t.Fatal(r)
		}
		steps += r.Steps
		if !repeats {
			continue
		}
		r, unused := e.Repeat(r.Schedule.Clone(), lockers(e, tasks, false))
		if r.Verdict != verdict.Pass || unused.Len() > 0 {
			t.Fatal(r, unused)
		}
		steps += r.Steps
	}
	fmt.Println("steps:", steps)
}

// TestStepsDoNotGrow counts, by the counters of the coverage tool, the statements of the engine and the strategies that
// a step takes where many tasks wait for one lock. That does not depend on the machine.
func TestStepsDoNotGrow(t *testing.T) {
	dir := t.TempDir()
	binary := filepath.Join(dir, "counted.test")
	build := exec.Command("go", "test", "-c", "-tags", "chaos", "-covermode", "count",
		"-coverpkg", "../strategy,../internal/core,../internal/hooked", "-o", binary, ".")
	if out, err := build.CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	count := func(name string, tasks int, grouped bool) float64 {
		profile := filepath.Join(dir, "profile")
		run := exec.Command(binary, "-test.run", "^TestCountedSteps$", "-test.coverprofile", profile)
		run.Env = append(os.Environ(), fmt.Sprintf("%s=%s %d %t", slopeOf, name, tasks, grouped))
		out, err := run.CombinedOutput()
		_, rest, ok := bytes.Cut(out, []byte("steps: "))
		if err != nil || !ok {
			t.Fatalf("%v\n%s", err, out)
		}
		text, _, _ := strings.Cut(string(rest), "\n")
		steps, err := strconv.Atoi(text)
		statements, err2 := executed(profile)
		if err := cmp.Or(err, err2); err != nil {
			t.Fatal(err)
		}
		return float64(statements) / float64(steps)
	}
	const few, many = 8, 4096
	// A step of as many tasks takes no more than so many times the statements of a step of few. One more level of a tree
	// is several statements.
	for _, by := range []struct {
		name string
		most float64
	}{{"default", 1.2}, {"newest", 2}, {"random", 1.6}, {"replay", 2}, {"pct(3)", 2}, {"pos", 3}, {"surw", 3}, {"urw", 3}} {
		a, b := count(by.name, few, true), count(by.name, many, true)
		t.Logf("%s: %.0f statements a step with %d tasks, %.0f with %d", by.name, a, few, b, many)
		if b > by.most*a {
			t.Errorf("%s: a step of %d tasks takes %.1f times the statements of one of %d", by.name, many, b/a, few)
		}
	}
	// Without groups, each waiter is looked at when the lock changes.
	if a, b := count("random", few, false), count("random", 512, false); b < 10*a {
		t.Errorf("the planted defect is not seen: %.0f statements a step with %d tasks, %.0f with 512", a, few, b)
	}
}

// executed returns the number of statements that ran, by a coverage profile.
func executed(profile string) (statements int, err error) {
	f, err := os.Open(profile)
	if err != nil {
		return 0, err
	}
	defer f.Close()
	lines := bufio.NewScanner(f)
	for lines.Scan() {
		fields := strings.Fields(lines.Text())
		if len(fields) != 3 {
			continue // the mode
		}
		n, err := strconv.Atoi(fields[1])
		times, err2 := strconv.Atoi(fields[2])
		if err := cmp.Or(err, err2); err != nil {
			return 0, err
		}
		statements += n * times
	}
	return statements, lines.Err()
}
