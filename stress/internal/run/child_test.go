package run

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"runtime"
	"strings"
	"testing"

	"github.com/rouse-go/rouse/chaos/verdict"
	"github.com/rouse-go/rouse/stress/internal/outcome"
	"github.com/rouse-go/rouse/stress/scenario"
	"github.com/rouse-go/rouse/stress/subject"
)

// TestOrphan: a child whose parent is gone ends, whatever its executions do.
func TestOrphan(t *testing.T) {
	text, err := json.Marshal(Request{Scenario: scripted("hangs", verdict.Pass, "hangs"), Most: 1})
	if err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command(os.Args[0], ChildArg)
	cmd.Stdin = bytes.NewReader(text) // and then it closes
	if err := cmd.Run(); err == nil || cmd.ProcessState.ExitCode() != 1 {
		t.Errorf("got %v, want exit code 1", err)
	}
}

func TestChildWithoutRequest(t *testing.T) {
	var out, errs bytes.Buffer
	if code := testRunner.Serve(strings.NewReader("nonsense"), &out, &errs, testRunner.Execute, nil); code != 2 {
		t.Errorf("exit code %d", code)
	}
	if out.Len() > 0 || !strings.HasPrefix(errs.String(), "stress-child: this is started by stress itself: ") {
		t.Errorf("%q %q", &out, &errs)
	}
}

// TestMessages: every execution is announced before it begins, and a failure
// is the last.
func TestMessages(t *testing.T) {
	var got []string
	send := func(m Message) {
		switch {
		case m.Begin != nil:
			if m.Begin.Seed != subject.Seed(9, "a", m.Begin.Execution) || m.Begin.Setting != fmt.Sprint("workers ", 1+m.Begin.Execution%2) {
				t.Errorf("%+v", m.Begin)
			}
			got = append(got, "begin")
		case m.Result != nil:
			got = append(got, string(m.Result.Verdict))
		}
	}
	r := Request{Scenario: scripted("a", verdict.Pass, "pass pass pass leak"), CampaignSeed: 9, First: 1, Most: 9}
	r.run(actOut, send, nil)
	if s := strings.Join(got, " "); s != "begin pass begin pass begin leak" {
		t.Errorf("got %s", s)
	}
}

// TestTwoProcessors: a native execution has two processors, though this process has one, and so has
// its recording.
func TestTwoProcessors(t *testing.T) {
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(1))
	sc := scripted("processors", verdict.Pass, "says-processors")
	end, err := Launcher{}.Run(t.Context(), Request{Scenario: sc, Most: 1},
		func(*Message) error { return nil }, func() {})
	if err != nil || !strings.Contains(end.output, "GOMAXPROCS 2") {
		t.Errorf("got %q, %v", end.output, err)
	}
	if r := NativeRecording(&sc, 1, &outcome.Result{}); r.MaxProcs != 2 {
		t.Errorf("the recording has GOMAXPROCS %d, want 2", r.MaxProcs)
	}
}

// TestGoAhead: a child runs nothing that the parent has not taken down.
func TestGoAhead(t *testing.T) {
	var got []string
	goAhead := make(chan struct{})
	r := Request{Scenario: scripted("a", verdict.Pass, "pass pass leak"), Most: 9, Waits: true}
	ran := func(sc *scenario.Scenario, seed uint64, n int, alive func()) outcome.Result {
		got = append(got, "run")
		return actOut(sc, seed, n, alive)
	}
	r.run(ran, func(m Message) {
		if m.Begin != nil {
			got = append(got, "begin")
			n := len(got)
			go func() {
				if len(got) != n {
					t.Error("it ran before the parent let it")
				}
				goAhead <- struct{}{}
			}()
		}
	}, goAhead)
	if s := strings.Join(got, " "); s != "begin run begin run begin run" {
		t.Errorf("got %s", s)
	}
}
