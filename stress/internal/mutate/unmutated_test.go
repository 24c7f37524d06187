package mutate

import (
	"fmt"
	"os"
	"strings"
	"testing"
	"time"
)

// countedFiles are a module with a mutant and two tests, which write a line into a file whenever they run,
// under control one for each worker. The second does not pass when there is a file named fail.
var countedFiles = map[string]string{
	"go.mod": "module example.com/counted\n\ngo 1.25\n",
	"a.go":   "package counted\n\nfunc Close(c chan int) { close(c) }\n",
	"a_test.go": `package counted

import (
	"fmt"
	"os"
	"testing"
)

func init() {
	file, err := os.OpenFile("runs", os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o600)
	if err == nil {
		fmt.Fprintln(file, os.Args[1:])
		file.Close()
	}
}

func TestClose(t *testing.T) { Close(make(chan int)) }

func TestFile(t *testing.T) {
	Close(make(chan int))
	if _, err := os.Stat("fail"); err == nil {
		t.Error("there is a file")
	}
}
`,
}

// TestUnmutatedKept: a run that goes on runs no test without a mutant that has passed, and not the command,
// until a file of the package changes, or a flag that matters.
func TestUnmutatedKept(t *testing.T) {
	module(t, countedFiles)
	o := Options{Ways: []string{"plain", "race", "stress", "command"}, Command: "echo >>commands", Budget: time.Minute, Executions: 3, Out: "out", Procs: 1}
	// runs returns how often test binaries and the command have run since the last call.
	runs := func() (n, commands int) {
		t.Helper()
		os.Remove("runs")     //nolint:errcheck // there may be none
		os.Remove("commands") //nolint:errcheck // as above
		r, err := Run(t.Context(), o)
		if err != nil || len(r.Mutants) != 1 || r.Mutants[0].Status != "survived" || len(r.Mutants[0].Trials) != len(o.Ways) {
			t.Fatalf("%v, %q", err, results(r))
		}
		lines := func(name string) int {
			text, err := os.ReadFile(name)
			if err != nil && !os.IsNotExist(err) {
				t.Fatal(err)
			}
			return strings.Count(string(text), "\n")
		}
		return lines("runs"), lines("commands")
	}
	if err := os.WriteFile("fail", nil, 0o600); err != nil {
		t.Fatal(err)
	}
	all, commands := runs()
	if all < 8 || commands != 2 {
		t.Errorf("the first run: %d, %d", all, commands)
	}
	os.Remove("fail") //nolint:errcheck // the number of runs says more
	o.Ways = []string{"plain", "command"}
	if n, commands := runs(); n != 1+baselineRuns || commands != 0 { // the test that has not passed: with coverage, and plainly
		t.Errorf("what has not passed runs again: %d, %d", n, commands)
	}
	o.Ways = []string{"plain", "race", "stress", "command"}
	runs()
	if n, commands := runs(); n != 0 || commands != 0 {
		t.Errorf("everything is in the journal: %d, %d", n, commands)
	}
	o.Ways, o.Command, o.Count = []string{"plain"}, "", 2
	if n, _ := runs(); n != 2*baselineRuns+1 {
		t.Errorf("another count: %d", n)
	}
	if err := os.WriteFile("b.go", []byte("package counted\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	if n, _ := runs(); n != 1+2+2*baselineRuns { // listed, with coverage, plainly; the mutant's file is the same
		t.Errorf("another file: %d", n)
	}
}

// TestUncompressed: a text is in the journal as it was.
func TestUncompressed(t *testing.T) {
	for _, text := range []string{"", "mode: atomic\n", strings.Repeat("x", 1<<16)} {
		if got, err := uncompressed(compressed([]byte(text))); err != nil || string(got) != text {
			t.Errorf("%q, %v", fmt.Sprintf("%.20s", got), err)
		}
	}
	if _, err := uncompressed([]byte("torn")); err == nil {
		t.Error("what is not compressed is read")
	}
}
