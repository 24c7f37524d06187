package run

import (
	"fmt"
	"os"
	"runtime"
	"strings"
	"testing"

	"go.uber.org/goleak"

	"github.com/rouse-go/rouse/chaos/verdict"
	"github.com/rouse-go/rouse/hooks"
	"github.com/rouse-go/rouse/hooks/sync"
	"github.com/rouse-go/rouse/stress/internal/outcome"
	"github.com/rouse-go/rouse/stress/scenario"
	"github.com/rouse-go/rouse/stress/subject"
	"github.com/rouse-go/rouse/stress/subjects/burst"
	"github.com/rouse-go/rouse/stress/subjects/pool"
)

// TestMain makes the test binary its own child process, as a program does with
// ChildMain. A scenario whose About begins with "script:" is not executed but
// acted out.
func TestMain(m *testing.M) {
	if len(os.Args) > 1 && os.Args[1] == ChildArg {
		os.Exit(testRunner.Serve(os.Stdin, os.Stdout, os.Stderr, actOut, func(*scenario.Scenario, int) {}))
	}
	goleak.VerifyTestMain(m)
}

// testSubjects are the subjects of the scenarios in tests, and testRunner runs them.
var (
	testSubjects = []subject.Subject{pool.Subject(), burst.Subject()}
	testRunner   = &Runner{Subjects: append(testSubjects[:2:2], racySubject)}
)

// scripted is a scenario whose execution n acts out words[n], or the last one.
func scripted(name string, expect verdict.Verdict, words string) scenario.Scenario {
	return scenario.Scenario{
		Name: name, About: "script: " + words, Subject: "pool", Setup: map[string]string{"workers": "[1, 2]"},
		Workload: "inject", Expect: expect,
	}
}

// actOut is the executor of scripted scenarios. A word is a verdict, or a way to end.
func actOut(sc *scenario.Scenario, campaignSeed uint64, n int, alive func()) outcome.Result {
	script, ok := strings.CutPrefix(sc.About, "script: ")
	if !ok {
		return testRunner.Execute(sc, campaignSeed, n, alive)
	}
	words := strings.Fields(script)
	word := words[min(n, len(words)-1)]
	switch word {
	case "says-processors":
		panic(fmt.Sprintf("GOMAXPROCS %d", runtime.GOMAXPROCS(0)))
	case "panics":
		panic("as the script says")
	case "really-races":
		raceForReal()
		word = "pass"
	case "hangs":
		select {}
	}
	r := outcome.Result{Execution: n, Seed: subject.Seed(campaignSeed, sc.Name, n), Setting: sc.Setting(n), Verdict: verdict.Verdict(word)}
	if r.Verdict != verdict.Pass {
		r.Summary = "victim " + word
	}
	return r
}

// raceForReal has a data race.
func raceForReal() {
	n, done := 0, make(chan struct{})
	go func() {
		n++
		close(done)
	}()
	n++
	<-done
}

// racySubject adds up in two tasks without synchronisation. Control cannot interrupt it between its reads
// and writes.
var racySubject = subject.Target[*int]{
	Name: "racy",
	New:  func(*subject.Execution) *int { return new(int) },
	Workloads: []subject.Work[*int]{{
		Name:   "add",
		Params: []subject.Param{subject.Count{Name: "times", Default: 1_000_000, Small: 3, Most: 10_000_000}},
		Run: func(x *subject.Execution, sum *int) {
			var done sync.WaitGroup
			n := x.Count("times")
			done.Add(2)
			for range 2 {
				go hooks.Task(func() {
					defer done.Done()
					for range n {
						*sum++
					}
				})()
			}
			done.Wait()
			if *sum != 2*n {
				x.Fail(verdict.WrongResult, "the sum is %d, want %d", *sum, 2*n)
			}
		},
	}},
}.Subject()
