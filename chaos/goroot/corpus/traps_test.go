package corpus

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/rouse-go/rouse/chaos/verdict"
)

// Catches: an operation of package sync or an atomic that is no point, or after which nobody else
// can run; time, chance, memory, timers, pools and bubbles that differ from one execution or process
// to the next; a source of that which is not noted.
func TestTraps(t *testing.T) {
	quick, _ := trapPackages(t)
	traps(t, *trapExecutions, append([]string{"--skip", "^TestChild"}, quick...)...)
}

// TestLongTraps catches the same in packages whose executions take long.
func TestLongTraps(t *testing.T) {
	takesMinutes(t, "1")
	_, slow := trapPackages(t)
	traps(t, max(*trapExecutions/4, 1), append([]string{"--skip", "^TestChild"}, slow...)...)
}

// trapPackages returns the patterns of all packages of traps. The slow ones have loops that wait for long, or start
// processes; nothing in them takes many executions to find.
func trapPackages(t *testing.T) (quick, slow []string) {
	files, err := filepath.Glob("../testdata/traps/*/*_test.go")
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range files {
		all, pkg := &quick, filepath.Base(filepath.Dir(name))
		switch pkg {
		case "spinners", "stuck", "outside", "clock", "memory", "background", "coin":
			all = &slow
		}
		if pattern := "./" + pkg; !slices.Contains(*all, pattern) {
			*all = append(*all, pattern)
		}
	}
	return quick, slow
}

// Catches: a child process that waits for ever until its output is read, and one whose time-out virtual time
// brings. An execution takes a second.
func TestTrapsOfChildren(t *testing.T) { traps(t, 5, "--run", "^TestChild", "./outside") }

// Catches: a goroutine that ends after the test, and that is reported as a leak.
func TestTrapsOfLeaks(t *testing.T) { traps(t, *trapExecutions, "--leaks", "./leaks") }

// Catches: a race that the runtime's patches hide, or invent.
func TestTrapsRace(t *testing.T) {
	traps(t, *trapExecutions, "--race", "./races", "./pool", "./bubbles", "./clock", "./settings", "./leakprofile")
}

// Catches: a point at which --native delays nobody, and time that is not real there. What is to be found
// there is a matter of chance: one execution in some 50 has it, and none of 20,000 with a probability
// far below 1e-100.
func TestTrapsNative(t *testing.T) {
	traps(t, 20_000, "--native", "--run", "^TestFound", "./native")
	traps(t, *trapExecutions, "--native", "--skip", "^TestFound", "./native")
}

func traps(t *testing.T, executions int, args ...string) {
	tool := builtTool(t)
	withToolchains(t, func(t *testing.T) {
		problems, err := tool.Traps(t.Context(), "../testdata/traps", t.TempDir(), executions, args...)
		if err != nil {
			t.Fatal(err)
		}
		for _, p := range problems {
			t.Error(p)
		}
	})
}

// withToolchains runs a test with each toolchain that the step traps_elsewhere of CI asks for, or else
// with the installed one.
func withToolchains(t *testing.T, f func(*testing.T)) {
	all := strings.Fields(os.Getenv("ROUSE_TOOLCHAINS"))
	for _, toolchain := range all {
		t.Run(toolchain, func(t *testing.T) {
			t.Setenv("GOTOOLCHAIN", toolchain)
			f(t)
		})
	}
	if len(all) == 0 {
		f(t)
	}
}

// Catches: an endless loop that is reported only at the limit of steps, and one that ends and is reported.
func TestLongLoops(t *testing.T) {
	takesMinutes(t, "2")
	tool := builtTool(t)
	r, err := tool.Test(t.Context(), "../testdata/loops", t.TempDir(), nil, "--seed", "1", "--executions", "4", "--max-steps", "2000000", ".")
	if err != nil || len(r.Broken) > 0 || len(r.Tests) == 0 {
		t.Fatal(err, r)
	}
	for _, test := range r.Tests {
		endless := strings.HasPrefix(test.Test, "TestFound")
		if strings.HasPrefix(test.Test, "TestUncontrolled") && test.Status == "uncontrolled" {
			continue
		}
		if endless && (test.Verdict != verdict.Livelock || !strings.Contains(test.Summary, "came to the same states")) || !endless && test.Status != "ok" {
			t.Errorf("%s: %s %s: %s", test.Test, test.Status, test.Verdict, test.Summary)
		}
	}
}

// Catches: a loop that is said to be endless, and that another process ends, by real time, the collector, or C.
func TestLongLoopsOutside(t *testing.T) {
	takesMinutes(t, "2")
	tool := builtTool(t)
	r, err := tool.Test(t.Context(), "../testdata/loops", t.TempDir(), nil, "--seed", "1", "--executions", "4", "./outside", "./incgo")
	if err != nil || len(r.Broken) > 0 || len(r.Tests) == 0 {
		t.Fatal(err, r)
	}
	for _, test := range r.Tests {
		if test.Failed() {
			t.Errorf("%s: %s: %s", test.Test, test.Verdict, test.Summary)
		}
	}
}

// Catches: a time-out that is hit although what it waits for takes no time, as time passes on account of loops that wait
// while others that can continue do not; and one that is never hit.
func TestLongTimeouts(t *testing.T) {
	takesMinutes(t, "3")
	tool := builtTool(t)
	problems, err := tool.Traps(t.Context(), "../testdata/timeouts", t.TempDir(), *loopExecutions, "--clock", "lazy", ".")
	if err != nil {
		t.Fatal(err)
	}
	for _, p := range problems {
		t.Error(p)
	}
}

// Catches: a goroutine that works for long while another could continue, in no schedule that is tried; and a loop that
// waits and does not end.
func TestLongWorks(t *testing.T) {
	takesMinutes(t, "3")
	tool := builtTool(t)
	for _, by := range [][]string{nil, {"--strategy", "dpor", "--clock", "lazy"}} {
		args := append([]string{"--seed", "1", "--executions", fmt.Sprint(*loopExecutions)}, by...)
		r, err := tool.Test(t.Context(), "../testdata/works", t.TempDir(), nil, args...)
		if err != nil || len(r.Broken) > 0 || len(r.Tests) == 0 {
			t.Fatal(err, r)
		}
		for _, test := range r.Tests {
			if strings.HasPrefix(test.Test, "TestLate") {
				continue
			}
			found := strings.HasPrefix(test.Test, "TestFound")
			if found && test.Verdict != verdict.WrongResult || !found && test.Status != "ok" {
				t.Errorf("%v: %s: %s %s: %s", by, test.Test, test.Status, test.Verdict, test.Summary)
			}
		}
		if strings.Contains(r.Printed, "has explored all there is") {
			t.Errorf("%v: a loop that waits was cut, and the search claims to be complete:\n%s", by, r.Printed)
		}
	}
}

// Catches: a goroutine that only reads, tries or polls for thousands of rounds, and at whose rounds no other one is ever
// seen to look.
func TestLongWorksLate(t *testing.T) {
	takesMinutes(t, "2")
	tool := builtTool(t)
	for _, seed := range []string{"1", "2", "3"} {
		r, err := tool.Test(t.Context(), "../testdata/works", t.TempDir(), nil, "--run", "^TestLate", "--seed", seed, "--executions", "200")
		if err != nil || len(r.Broken) > 0 || len(r.Tests) == 0 {
			t.Fatal(err, r)
		}
		for _, test := range r.Tests {
			if test.Verdict != verdict.WrongResult {
				t.Errorf("seed %s: %s: %s %s", seed, test.Test, test.Status, test.Verdict)
			}
		}
	}
}
