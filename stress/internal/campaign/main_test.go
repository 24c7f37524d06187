package campaign

import (
	"fmt"
	"os"
	"strings"
	"testing"
	"time"

	"go.uber.org/goleak"

	"github.com/rouse-go/rouse/chaos/verdict"
	"github.com/rouse-go/rouse/stress/internal/fixture"
	"github.com/rouse-go/rouse/stress/internal/outcome"
	"github.com/rouse-go/rouse/stress/internal/run"
	"github.com/rouse-go/rouse/stress/scenario"
	"github.com/rouse-go/rouse/stress/subject"
	burstsubject "github.com/rouse-go/rouse/stress/subjects/burst"
	poolsubject "github.com/rouse-go/rouse/stress/subjects/pool"
)

// TestMain makes the test binary its own child process, as a program does with
// run.ChildMain. A scenario whose About begins with "script:" is not executed but
// acted out.
func TestMain(m *testing.M) {
	if len(os.Args) > 1 && os.Args[1] == run.ChildArg {
		os.Exit(testRunner.Serve(os.Stdin, os.Stdout, os.Stderr, actOut, stumble))
	}
	if len(os.Args) > 2 && os.Args[1] == campaignArg {
		os.Exit(runCampaign(os.Args[2]))
	}
	goleak.VerifyTestMain(m)
}

// testSubjects are the subjects of the scenarios in tests, and testRunner runs them.
var (
	testSubjects = []subject.Subject{poolsubject.Subject(), burstsubject.Subject()}
	testRunner   = &run.Runner{Subjects: testSubjects}
)

// sized is the scenario with other parameters: of its workload, or, if it has no such
// size, of its subject.
func sized(sc scenario.Scenario, pairs ...string) scenario.Scenario {
	sc.Sizes, sc.Setup = fixture.Sized(sc.Sizes, sc.Setup, pairs...)
	return sc
}

// pidFile, if set in the environment, is where a hanging child leaves its pid.
const pidFile = "ROUSE_TEST_PIDFILE"

// scripted is a scenario whose execution n acts out words[n], or the last one.
func scripted(name string, expect verdict.Verdict, words string) scenario.Scenario {
	return scenario.Scenario{
		Name: name, About: "script: " + words, Subject: "pool", Setup: map[string]string{"workers": "[1, 2]"},
		Workload: "inject", Expect: expect,
	}
}

// actOut is the executor of scripted scenarios. A word is a verdict, or a way to
// end; with "/silent" behind it no fault fires.
func actOut(sc *scenario.Scenario, campaignSeed uint64, n int, alive func()) outcome.Result {
	script, ok := strings.CutPrefix(sc.About, "script: ")
	if !ok {
		return testRunner.Execute(sc, campaignSeed, n, alive)
	}
	words := strings.Fields(script)
	word, silent := strings.CutSuffix(words[min(n, len(words)-1)], "/silent")
	switch word {
	case "panics":
		panic("as the script says")
	case "races":
		fmt.Fprint(os.Stderr, fixture.Race)
		os.Exit(66) // as GORACE has it in a child
	case "exits":
		os.Exit(3)
	case "hangs":
		if f := os.Getenv(pidFile); f != "" {
			os.WriteFile(f, []byte(fmt.Sprint(os.Getpid())), 0o600) //nolint:errcheck
		}
		select {}
	case "killed":
		p, _ := os.FindProcess(os.Getpid())
		p.Kill() //nolint:errcheck
		select {}
	case "takes-1ms":
		return outcome.Result{Execution: n, Seed: subject.Seed(campaignSeed, sc.Name, n), Setting: sc.Setting(n), Verdict: verdict.Pass, Duration: time.Millisecond}
	case "prints":
		fmt.Println(`{"done":true}`)
		word = "pass"
	case "mutters":
		fmt.Print("no end of line")
		word = "pass"
	case "stops":
		stopSelf()
		word = "pass"
	}
	r := outcome.Result{Execution: n, Seed: subject.Seed(campaignSeed, sc.Name, n), Setting: sc.Setting(n), Verdict: verdict.Verdict(word)}
	if r.Verdict != verdict.Pass {
		r.Summary, r.Explanation, r.State = "victim "+word, []string{"who checked", "who posted"}, "all asleep"
	}
	for _, f := range sc.Plan {
		c := outcome.FaultCount{At: f.At, Kind: f.Kind.String(), Hits: 2, Fires: 1, Expired: 1}
		if silent {
			c.Fires, c.Expired = 0, 0
		}
		r.Faults = append(r.Faults, c)
		r.Points = append(r.Points, outcome.PointCount{Point: f.At, Hits: 2})
	}
	return r
}

// stumble ends the process before an execution under control if what the scenario is
// about says so: "stumbles: 130 panics".
func stumble(sc *scenario.Scenario, n int) {
	countAndHold(n)
	script, ok := strings.CutPrefix(sc.About, "stumbles: ")
	if at, word, _ := strings.Cut(script, " "); ok && at == fmt.Sprint(n) {
		actOut(&scenario.Scenario{About: "script: " + word}, 0, 0, func() {})
	}
}
