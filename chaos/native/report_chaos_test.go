//go:build chaos

package native

import (
	"bytes"
	"os"
	"os/exec"
	"runtime"
	"strings"
	"testing"

	"github.com/rouse-go/rouse/chaos"
	"github.com/rouse-go/rouse/hooks"
	"github.com/rouse-go/rouse/hooks/channel"
)

func init() {
	// A task of the subject panics, and not the first.
	programs["panics"] = func() {
		_, err := Execute(chaos.Plan{Seed: 0xabc}, func() {
			done := make(chan struct{})
			go hooks.Task(func() {
				hooks.Name("faulty")
				panic("boom")
			})()
			<-done
		})
		os.Stderr.WriteString(err.Error())
	}
	// A task that ends by Goexit, or that recovers, does not panic.
	programs["no panic"] = func() {
		x, err := Execute(chaos.Plan{Seed: 0xabc}, func() {
			done := make(chan struct{}, 1)
			go hooks.Task(func() {
				defer func() { done <- struct{}{} }()
				defer func() { _ = recover() }()
				panic("boom")
			})()
			<-done
			runtime.Goexit()
		})
		if err != nil || x.Kind != Finished {
			panic(x.String())
		}
	}
}

// program runs one of the programs, and returns what it prints.
func program(t *testing.T, name string) (output string, failed bool) {
	t.Helper()
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command(self)
	cmd.Env = append(os.Environ(), programVar+"="+name)
	var out bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &out
	err = cmd.Run()
	return out.String(), err != nil
}

// A process that ends by a panic says with which seed that happens again.
func TestPanicHasASeed(t *testing.T) {
	out, failed := program(t, "panics")
	if !failed || !strings.Contains(out, "(faulty) panics under the plan with seed 0xabc\n") || !strings.Contains(out, "\npanic: boom\n") {
		t.Errorf("failed: %v:\n%s", failed, out)
	}
	if out, failed = program(t, "no panic"); failed || out != "" {
		t.Errorf("failed: %v:\n%s", failed, out)
	}
}

// A goroutine that waits in a Select is blocked in the line that calls it.
func TestPlaceOfASelect(t *testing.T) {
	a, b, ended := make(chan int), make(chan int), make(chan struct{})
	x, err := Execute(chaos.Plan{Seed: 7}, func() {
		defer close(ended)
		channel.Select(channel.OnReceive(a, nil, nil), channel.OnReceive(b, nil, nil))
	})
	if err != nil || x.Kind != Stuck {
		t.Fatalf("%v, %v; want stuck", x, err)
	}
	if len(x.Blocked) != 1 || !strings.Contains(x.Blocked[0].Place(), "(report_chaos_test.go:") {
		t.Errorf("blocked in the wrong place:\n%s", x)
	}
	if x.Seed != 7 || !strings.HasPrefix(x.String(), "stuck, with seed 0x7:\n") {
		t.Errorf("%s", x)
	}
	close(a)
	<-ended
}

// Faults at points that were not passed are left out, unless none was.
func TestFaultsThatCouldNotFire(t *testing.T) {
	drop := func(at string) chaos.Fault { return chaos.Fault{At: at, Kind: hooks.Drops} }
	for _, c := range []struct {
		faults        []chaos.Fault
		says, saysNot string
	}{
		{[]chaos.Fault{drop("native/notify"), drop("sync/cond-signal"), drop("sync/cond-broadcast")},
			"fault drop at native/notify fired 1 of 1 times\n", "sync/cond"},
		{[]chaos.Fault{drop("sync/cond-signal"), drop("sync/cond-broadcast")},
			"no fault could fire: no task in its scope passed its point\n", "sync/cond"},
		{nil, "task main/0", "fault"},
	} {
		gate, ended := make(chan struct{}), make(chan struct{})
		x, err := Execute(chaos.Plan{Faults: c.faults}, func() {
			defer close(ended)
			hooks.Notify(notifyPoint)
			<-gate
		})
		if err != nil || x.Kind != Stuck {
			t.Fatalf("%v, %v; want stuck", x, err)
		}
		if got := x.String(); !strings.Contains(got, c.says) || strings.Contains(got, c.saysNot) {
			t.Errorf("got\n%s\nwant %q, and not %q", got, c.says, c.saysNot)
		}
		close(gate)
		<-ended
	}
}
