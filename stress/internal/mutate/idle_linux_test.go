package mutate

import (
	"strings"
	"testing"
	"time"
)

// sleepyFiles are a module with a mutant that makes one test sleep for longer than it is waited for, and then
// pass.
var sleepyFiles = map[string]string{
	"go.mod":    "module example.com/sleepy\n\ngo 1.25\n",
	"sleepy.go": "package sleepy\n\nfunc Close(c chan int) { close(c) }\n",
	"sleepy_test.go": `package sleepy

import (
	"testing"
	"time"
)

func TestClose(t *testing.T) {
	c := make(chan int)
	Close(c)
	select {
	case <-c:
	default:
		time.Sleep(4 * time.Second)
	}
}
`,
}

// TestIdle: a test whose goroutines all wait for one another does not take the whole budget, which is longer
// here than a test may take. One that sleeps has the whole budget.
func TestIdle(t *testing.T) {
	box(t)
	o := these("plain", "Box.notify/drop-default/1")
	o.Budget = time.Hour
	r, err := Run(t.Context(), o)
	if err != nil {
		t.Fatal(err)
	}
	differ(t, results(r), []string{"Box.notify/drop-default/1 killed; plain timeout by TestOrder: no end: all goroutines wait"})

	module(t, sleepyFiles)
	r, err = Run(t.Context(), Options{Ways: []string{"plain"}, Budget: time.Hour})
	if err != nil {
		t.Fatal(err)
	}
	differ(t, results(r), []string{"sleepy.go/Close/delete-close/1 survived; plain survived"})
}

// TestAllWait: which dumps of goroutines show that none goes on by itself.
func TestAllWait(t *testing.T) {
	const (
		main    = "\ngoroutine 1 gp=0xc0 m=nil [chan receive]:\ntesting.(*T).Run(0xc0)\n\t/a.go:1\n\n"
		waiting = "goroutine 7 [semacquire, 3 minutes]:\nexample.com/a.TestA(0xc0)\n\t/a_test.go:3\n\n"
		system  = "goroutine 2 gp=0xc1 m=nil [force gc (idle)]:\nruntime.gopark()\n\t/p.go:1\n\n"
		alarm   = "goroutine 9 [running]:\npanic({0x1})\n\t/p.go:9\ntesting.(*M).startAlarm.func1()\n\t/t.go:9\n\n"
		signals = "goroutine 4 gp=0xc2 m=3 mp=0xc3 [syscall]:\nos/signal.signal_recv()\n\t/s.go:1\n"
	)
	for _, dump := range []string{main + waiting, "SIGQUIT: quit\n" + main + system + waiting + signals, "panic: test timed out after 3s\n\n" + strings.TrimSpace(alarm) + "\n" + main + waiting} {
		if !allWait(dump) || running(dump) != "TestA" {
			t.Errorf("all wait in %q, by %q", dump, running(dump))
		}
	}
	for _, state := range []string{"sleep", "IO wait", "IO wait, 2 minutes", "syscall", "running", "runnable", "sleep, locked to thread"} {
		for _, header := range []string{"goroutine 8 [" + state + "]:", "goroutine 8 gp=0xc8 m=nil [" + state + "]:"} {
			if allWait(main + header + "\nf()\n\t/a.go:2\n\n" + waiting) {
				t.Errorf("%s: all wait", header)
			}
		}
	}
	if allWait("killed") {
		t.Error("all wait without a dump")
	}
}
