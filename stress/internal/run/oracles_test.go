package run

import (
	"io/fs"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"go.uber.org/goleak"

	"github.com/rouse-go/rouse"
	"github.com/rouse-go/rouse/chaos/verdict"
	"github.com/rouse-go/rouse/stress/internal/outcome"
	"github.com/rouse-go/rouse/stress/scenario"
	"github.com/rouse-go/rouse/stress/subject"
)

// TestOraclesTable: there is a row for each verdict, and its control is where it says.
func TestOraclesTable(t *testing.T) {
	var verdicts []verdict.Verdict
	tests := testNames(t)
	for _, o := range Oracles() {
		verdicts = append(verdicts, o.Verdict)
		scenario := strings.Contains(string(rouse.Scenarios), "name: "+o.Control+"\n")
		if !scenario && !tests[o.Control] {
			t.Errorf("%s: %s is neither a scenario nor a test", o.Verdict, o.Control)
		}
		if !slices.Contains([]string{"native", "control", "both"}, o.Modes) || o.Sees == "" {
			t.Errorf("%+v", o)
		}
	}
	if want := verdict.All()[1:]; !slices.Equal(verdicts, want) {
		t.Errorf("the table has %v, want %v", verdicts, want)
	}
}

// testNames are those of the module's tests.
func testNames(t *testing.T) map[string]bool {
	t.Helper()
	names := map[string]bool{}
	err := filepath.WalkDir("../../..", func(path string, _ fs.DirEntry, err error) error {
		if err != nil || !strings.HasSuffix(path, "_test.go") {
			return err
		}
		text, err := os.ReadFile(path)
		for line := range strings.Lines(string(text)) {
			if name, ok := strings.CutPrefix(line, "func "); ok && strings.HasPrefix(name, "Test") {
				name, _, _ = strings.Cut(name, "(")
				names[name] = true
			}
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	if len(names) < 100 {
		t.Fatalf("%d tests found", len(names))
	}
	return names
}

// grown is the first finding in samples of a heap and a number of goroutines.
func grown(samples int, heap, goroutines func(n int) float64) *subject.Finding {
	var g growth
	var found *subject.Finding
	n := 0
	for range samples {
		for n++; !g.due(); n++ {
		}
		g.add(growthSample{n, heap(n), goroutines(n)})
		if f := g.finding(); f != nil && found == nil {
			found = f
		}
	}
	return found
}

// TestGrowth: what grows is seen, through noise, fast or slow; what is large, or jumps, or
// warms up, is not growth.
func TestGrowth(t *testing.T) {
	const mib = 1 << 20
	r := rand.New(rand.NewPCG(1, 2))
	noise := func(size float64) float64 { return size * r.NormFloat64() }
	flat := func(int) float64 { return 9 }
	for name, c := range map[string]struct {
		heap, goroutines func(n int) float64
		says             string
	}{
		"a pool each time":          {func(n int) float64 { return 2*mib + 10_000*float64(n) + noise(20_000) }, flat, "the heap grows"},
		"half a kilobyte":           {func(n int) float64 { return 2*mib + 500*float64(n) + noise(2_000) }, flat, "the heap grows, by "},
		"outliers":                  {func(n int) float64 { return 2*mib + 4_000*float64(n) + float64(n/8%40/39)*8*mib }, flat, "the heap grows"},
		"a goroutine in four":       {func(int) float64 { return 2 * mib }, func(n int) float64 { return 9 + float64(n/4) }, "number of goroutines grows"},
		"noise":                     {func(int) float64 { return 2*mib + noise(mib) }, flat, ""},
		"warms up":                  {func(n int) float64 { return 2*mib + mib*min(float64(n), 100) + noise(1_000) }, flat, ""},
		"jumps":                     {func(n int) float64 { return 2*mib + 4*mib*float64(n/500%2) + noise(1_000) }, flat, ""},
		"saw":                       {func(n int) float64 { return 2*mib + 10_000*float64(n%60) }, flat, ""},
		"rises, by next to nothing": {func(n int) float64 { return 2*mib + 10*float64(n) }, flat, ""},
		"goroutines come, and stay": {func(int) float64 { return 2 * mib }, func(n int) float64 { return float64(min(n, 20)) }, ""},
		"falls":                     {func(n int) float64 { return 99*mib - 1_000*float64(n) }, flat, ""},
	} {
		f := grown(150, c.heap, c.goroutines)
		switch {
		case c.says == "" && f != nil:
			t.Errorf("%s: %s", name, f.Summary)
		case c.says != "" && (f == nil || f.Verdict != verdict.MemoryGrowth || !strings.Contains(f.Summary, c.says)):
			t.Errorf("%s: %+v, want %q", name, f, c.says)
		}
	}
}

// kept is what the subject of the next test leaks.
var kept [][]byte

// TestOracleSeesMemoryGrowth: a workload that keeps a few kilobytes fails in a process that
// runs many executions, and one that does not passes.
func TestOracleSeesMemoryGrowth(t *testing.T) {
	defer func() { kept = nil }()
	for leaks, want := range map[int]verdict.Verdict{0: verdict.Pass, 4 << 10: verdict.MemoryGrowth} {
		var last outcome.Result
		n := 0
		execute := func(sc *scenario.Scenario, campaignSeed uint64, i int, _ func()) outcome.Result {
			kept = append(kept, make([]byte, leaks))
			return outcome.Result{Execution: i, Verdict: verdict.Pass}
		}
		r := Request{Scenario: scripted("a", verdict.Pass, "pass"), Most: 400}
		r.run(execute, func(m Message) {
			if m.Result != nil {
				last, n = *m.Result, n+1
			}
		}, nil)
		if last.Verdict != want || want == verdict.Pass && n != 400 {
			t.Errorf("%d bytes: %s after %d executions (%s), want %s", leaks, last.Verdict, n, last.Summary, want)
		}
	}
}

// deep waits below n frames.
func deep(n int, wait func()) {
	if n > 0 {
		deep(n-1, wait)
	} else {
		wait()
	}
}

// TestDeepStacks: a goroutine with more frames than the runtime prints has leaked if it stays, and has not
// if it ends.
func TestDeepStacks(t *testing.T) {
	before, end := goleak.IgnoreCurrent(), make(chan struct{})
	begun := make(chan struct{})
	go deep(500, func() { close(begun); <-end })
	<-begun
	found := leaked(before)
	if len(found) != 1 || found[0].Verdict != verdict.Leak || !strings.Contains(found[0].Summary, "[chan receive] in run.TestDeepStacks.func1") {
		t.Errorf("one that stays: %+v", found)
	}
	close(end)
	begun = make(chan struct{})
	go deep(500, func() { close(begun); time.Sleep(200 * time.Millisecond) })
	<-begun
	if found := leaked(before); found != nil {
		t.Errorf("one that ends: %+v", found)
	}
}
