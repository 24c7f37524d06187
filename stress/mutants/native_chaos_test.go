//go:build chaos

package mutants

import (
	"bufio"
	"bytes"
	"encoding/json"
	"flag"
	"os"
	"os/exec"
	"path/filepath"
	"testing"

	"github.com/rouse-go/rouse/chaos/verdict"
)

var natively = flag.Bool("natively", false, "TestNativeOraclesSeeMutants: all its mutants, with a build of stress for each, instead of the first")

// Native scenarios that pass with the original pool, and their verdicts with a mutant of it: the
// positive controls of oracles that need a broken pool.
var detectedNatively = []struct {
	mutant, scenario string
	want             verdict.Verdict
}{
	{"frame-used-again", "join-recursively", verdict.StaleUse},
	{"stolen-half-begins-late", "increment-all", verdict.LostTask},
	{"stolen-half-begins-early", "increment-all", verdict.DuplicateTask},
	{"unit-kept", "window-registered", verdict.Invariant},
	{"latch-exit-uncounted", "window-registered", verdict.Invariant},
	{"loop-loses-rest", "loops-that-fail", verdict.LostTask},
	{"sleeper-decrements", "woken-not-asleep", verdict.Invariant},
	{"shared-taken-for-private", "increment-all", verdict.StaleUse},
	{"notification-dropped", "window-registered", verdict.LostWakeup},
	{"post-wakes-nobody", "window-registered", verdict.LostWakeup},
	{"latch-notifies-nobody", "rolled-jec", verdict.LostWakeup},
	{"end-notifies-nobody", "rolled-jec", verdict.LostWakeup},
	{"broadcast-notifies-nobody", "broadcasts-against-sleepers", verdict.LostWakeup},
	{"final-check-without-broadcasts", "broadcasts-against-sleepers", verdict.LostWakeup},
	{"no-final-check", "rolled-jec-saved", verdict.LostWakeup},
	{"final-check-before-count", "rolled-jec-saved", verdict.LostWakeup},
	{"jec-not-moved-no-final-check", "rolled-jec", verdict.LostWakeup},
	{"jec-not-moved", "latch-handshake", verdict.LostParallelism},
	{"fall-asleep-not-a-cas", "latch-handshake", verdict.Deadlock},
	{"latch-not-reset", "rolled-jec", verdict.NeverSleeps},
	{"room-waits-on-a-worker", "mutual-runs-bounded", verdict.Deadlock},
	{"gate-keeps-jobs", "mutual-runs-bounded", verdict.Deadlock},
	{"first-error-not-kept", "groups", verdict.WrongResult},
	{"group-end-wakes-nobody", "groups", verdict.Deadlock},
	{"group-error-not-cancelling", "groups", verdict.Deadlock},
	{"group-error-over-panic", "groups", verdict.WrongResult},
	{"group-keeps-next", "groups", verdict.Deadlock},
	{"group-keeps-place", "groups", verdict.Deadlock},
	{"group-one-too-many", "groups", verdict.Invariant},
	{"spare-keeps-next", "groups", verdict.Deadlock},
	{"spare-rests-behind-close", "blocking-jobs", verdict.Deadlock},
	{"spare-rests-too-early", "blocking-jobs", verdict.Deadlock},
	{"spare-rests-when-closed", "blocking-jobs", verdict.Deadlock},
	{"spares-one-too-many", "handlers", verdict.Panicked},
}

// All other mutants, by the result of one native run: nine seconds of 21 scenarios with the strategy
// that the mutant changes, on two busy processors.
var notDetectedNatively = map[string][]string{
	"it costs only time, and passes under control, too": {
		"empty-queue-rule-ignored", "last-look-asks-nobody", "limit-not-raised", "tickle-job-end-silent",
		"tickle-still-sleepy-unchecked",
	},
	"passed: a worker keeps work from sleepers, which takes longer; under control a test of the pool checks which workers sleep": {
		"failed-steal-not-retried", "half-kept-from-thieves", "last-look-asks-nobody-lookers-ignored",
		"limit-not-lowered", "limit-not-updated", "loop-not-interrupted", "request-forgotten",
		"request-not-made", "request-not-repeated", "request-overwritten", "request-unmet-by-pop",
		"request-unmet-by-typed-push", "sleepers-not-looked-for",
	},
	"passed in that time; the window of several is a few instructions, which no fault of a native scenario widens": {
		"blocker-keeps-jobs", "blocker-posts-nothing", "counters-read-before-moved", "final-check-without-blockers",
		"jec-check-not-atomic", "latch-read-after-swap", "pushed-after-counters", "shared-after-counters",
		"tickle-cas-without-lock", "tickle-load-and-store", "tickle-notifies-without-lock",
	},
	"detected by chance, too rarely or too late for a test: in all-four-windows, rolled-jec, increment-all, latch-handshake, or, with tickle, nested-scopes": {
		"tickle-no-sleepy-phase", "tickle-sleeps-although-tickled",
		"injected-after-counters", "jec-not-moved-check-before-count", "lock-latch-without-lock",
		"request-cleared-only", "shared-not-posted", "sleeping-before-lock",
	},
	"detected by chance: in blocking-jobs; in groups, if an execution lasts until the timer of spares fires": {
		"spare-claimed-twice", "spare-timer-counted-for-good",
	},
	"passed: workers are notified without need": {"tickle-latch-not-reset"},
	"detected in the first executions of window-registered with the strategy tickle, which the test below does not choose": {
		"tickle-latch-unmarked", "tickle-latch-silent", "tickle-notifies-one",
	},
	"not tried": {
		"isolated-after-push", "promise-kept-before-outcome",
		"found-wakes-nobody", "isolated-waiter-not-notified",
		"tickle-sleepy-ignored", "tickle-sleepy-not-a-cas", "waiter-keeps-jobs",
		"waker-without-lock", "yielder-keeps-jobs",
	},
	"passed in nine seconds of groups, blocking-jobs, handlers, random-programs and loops-over-data": {
		"group-isolated-waiter-not-notified", "group-waiter-too-late", "loop-error-of-higher-index",
		"results-left-behind", "results-one-ahead", "spare-never-dismissed",
		"spare-not-notified", "spare-rests-after-a-look", "spare-used-and-dismissed",
	},
}

// TestMutantsNatively: each mutant is in one of the lists.
func TestMutantsNatively(t *testing.T) {
	lists := map[string]int{"none": 1}
	for _, c := range detectedNatively {
		lists[c.mutant]++
	}
	for _, names := range notDetectedNatively {
		for _, name := range names {
			lists[name]++
		}
	}
	for _, m := range embedded(t) {
		if lists[m.name] != 1 {
			t.Errorf("%s is in %d of the lists, want one", m.name, lists[m.name])
		}
		delete(lists, m.name)
	}
	for name := range lists {
		t.Errorf("there is no mutant %s", name)
	}
}

// TestNativeOraclesSeeMutants runs the program itself, built around a mutant.
func TestNativeOraclesSeeMutants(t *testing.T) {
	cases := detectedNatively
	if !*natively {
		cases = cases[:1]
	}
	for _, c := range cases {
		m := named(t, c.mutant)
		t.Run(c.mutant, func(t *testing.T) {
			t.Parallel()
			dir := t.TempDir()
			binary, report := stressWith(t, &m), filepath.Join(dir, "report.jsonl")
			run := exec.Command(binary, "run", c.scenario, "--executions", "100", "--seed", "1", "--search", "0", "--out", filepath.Join(dir, "out"), "--json", report)
			run.Env = append(run.Environ(), "CI=", "GITHUB_ACTIONS=", "GITHUB_STEP_SUMMARY=") // not a failure of this job
			out, err := run.CombinedOutput()
			if run.ProcessState.ExitCode() != 1 {
				t.Fatalf("%v, want exit code 1\n%s", err, out)
			}
			if got, summary := scenarioVerdict(t, report, c.scenario); got != c.want {
				t.Errorf("%s: %s, want %s\n%s", got, summary, c.want, out)
			}
		})
	}
}

// scenarioVerdict reads the verdict of a native scenario in a report.
func scenarioVerdict(t *testing.T, report, name string) (v verdict.Verdict, summary string) {
	t.Helper()
	text, err := os.ReadFile(report)
	if err != nil {
		t.Fatal(err)
	}
	lines := bufio.NewScanner(bytes.NewReader(text))
	lines.Buffer(nil, 1<<20)
	for lines.Scan() {
		var line struct {
			Kind, Name, Mode, Summary string
			Verdict                   verdict.Verdict
		}
		if err := json.Unmarshal(lines.Bytes(), &line); err != nil {
			t.Fatal(err)
		}
		if line.Kind == "scenario" && line.Name == name && line.Mode == "native" {
			v, summary = line.Verdict, line.Summary
		}
	}
	return v, summary
}
