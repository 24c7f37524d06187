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

var natively = flag.Bool("natively", false, "TestNativeOraclesSeeMutants: all of its mutants, a build of stress for each, instead of the first")

// Native scenarios that pass with the pool that ships, and what comes of them with a mutant of it:
// the oracles that only a broken pool can convince see one.
var convictedNatively = []struct {
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
}

// TestNativeOraclesSeeMutants runs the program itself, built around a mutant.
func TestNativeOraclesSeeMutants(t *testing.T) {
	cases := convictedNatively
	if !*natively {
		cases = cases[:1]
	}
	for _, c := range cases {
		m := named(t, c.mutant)
		t.Run(c.mutant, func(t *testing.T) {
			t.Parallel()
			dir := t.TempDir()
			checkout, err := OpenCheckout(here)
			if err != nil {
				t.Fatal(err)
			}
			overlay, err := checkout.overlay(&m, dir)
			if err != nil {
				t.Fatal(err)
			}
			binary, report := filepath.Join(dir, "stress.exe"), filepath.Join(dir, "report.jsonl")
			build := exec.Command("go", "build", "-tags", "chaos", "-overlay", overlay, "-o", binary, "./cmd/stress")
			build.Dir = checkout.dir
			if out, err := build.CombinedOutput(); err != nil {
				t.Fatalf("%v\n%s", err, out)
			}
			run := exec.Command(binary, "run", c.scenario, "--executions", "100", "--seed", "1", "--out", filepath.Join(dir, "out"), "--json", report)
			run.Env = append(run.Environ(), "CI=", "GITHUB_ACTIONS=", "GITHUB_STEP_SUMMARY=") // this failure is nobody's
			out, err := run.CombinedOutput()
			if run.ProcessState.ExitCode() != 1 {
				t.Fatalf("%v, want exit code 1\n%s", err, out)
			}
			if got, says := scenarioVerdict(t, report, c.scenario); got != c.want {
				t.Errorf("%s: %s, want %s\n%s", got, says, c.want, out)
			}
		})
	}
}

// scenarioVerdict reads in a report what a native scenario has come to.
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
