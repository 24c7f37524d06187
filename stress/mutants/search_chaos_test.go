//go:build chaos

package mutants

import (
	"flag"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"testing"

	"github.com/rouse-go/rouse/chaos/recording"
	"github.com/rouse-go/rouse/stress/subject"
)

var searches = flag.Int("searches", 0, "TestNativeFailuresAreFoundUnderControl: all its mutants, as with -natively, and so many searches with other seeds, each with the native events and without")

// Native scenarios that fail with a mutant, and what is then found under control.
var foundUnderControl = []struct{ mutant, scenario string }{
	{"unit-kept", "window-registered"},
	{"notification-dropped", "window-registered"},
	{"latch-notifies-nobody", "rolled-jec"},
	{"no-final-check", "rolled-jec-saved"},
	{"final-check-without-broadcasts", "broadcasts-against-sleepers"},
	{"fall-asleep-not-a-cas", "latch-handshake"},
	{"jec-not-moved", "latch-handshake"},
	{"stolen-half-begins-late", "increment-all"},
	{"frame-used-again", "join-recursively"},
	{"loop-loses-rest", "loops-that-fail"},
}

// mostSearched is how many executions a search has.
const mostSearched = 2000

var (
	searched = regexp.MustCompile(`\breproduced under control in (\d+) executions? \(`)
	shrunkTo = regexp.MustCompile(`, (?:shrunk to (\d+) decisions?|the default schedule)[;\n]`)
	byTrace  = regexp.MustCompile(`\n3 of 3 tries reproduced `)
)

// TestNativeFailuresAreFoundUnderControl: a native scenario fails with a planted defect, and the campaign ends with a shrunk
// recording that repeats exactly.
func TestNativeFailuresAreFoundUnderControl(t *testing.T) {
	cases := foundUnderControl
	if *searches == 0 && !*natively {
		cases = cases[:1]
	}
	for _, c := range cases {
		m := named(t, c.mutant)
		t.Run(c.mutant, func(t *testing.T) {
			s := &searching{T: t, binary: stressWith(t, &m), dir: t.TempDir()}
			out := s.stress(1, "run", c.scenario, "--executions", "100", "--seed", "1", "--out", s.dir, "--search", fmt.Sprint(mostSearched))
			executions, decisions := s.found(out)
			control, err := filepath.Glob(filepath.Join(s.dir, c.scenario+"-*.control.rouse"))
			if err != nil || len(control) != 1 || executions > mostSearched {
				t.Fatalf("%v, %q, in %d executions\n%s", err, control, executions, out)
			}
			if again := s.stress(1, "replay", control[0], "--times", "3"); !byTrace.MatchString(again) {
				t.Errorf("the recording does not repeat exactly:\n%s", again)
			}
			if *searches > 0 {
				native := regexp.MustCompile(`\.control\.rouse$`).ReplaceAllString(control[0], ".rouse")
				t.Logf("| `%s` | `%s` | %d | %d | %.0f | %.0f |", c.mutant, c.scenario, executions, decisions, s.mean(native, true), s.mean(native, false))
			}
		})
	}
}

// searching is a build of stress around a mutant, and a folder for recordings.
type searching struct {
	*testing.T
	binary, dir string
}

// stressWith is stress, built around the mutant.
func stressWith(t *testing.T, m *mutant) (binary string) {
	t.Helper()
	dir := t.TempDir()
	checkout, err := openCheckout(here)
	if err != nil {
		t.Fatal(err)
	}
	overlay, err := checkout.overlay(m, dir)
	if err != nil {
		t.Fatal(err)
	}
	binary = filepath.Join(dir, "stress.exe")
	build := exec.Command("go", "build", "-tags", "chaos", "-overlay", overlay, "-o", binary, "./cmd/stress")
	build.Dir = string(checkout)
	if out, err := build.CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	return binary
}

// stress runs the command and returns what it prints.
func (s *searching) stress(want int, args ...string) string {
	s.Helper()
	cmd := exec.Command(s.binary, args...)
	cmd.Env = append(cmd.Environ(), "CI=", "GITHUB_ACTIONS=", "GITHUB_STEP_SUMMARY=") // not a failure of this job
	out, _ := cmd.CombinedOutput()                                                    //nolint:errcheck // its exit code says it
	if got := cmd.ProcessState.ExitCode(); got != want {
		s.Fatalf("%q: exit code %d, want %d\n%s", args, got, want, out)
	}
	return string(out)
}

// found reads after how many executions the failure was found, and how many decisions it was shrunk to.
func (s *searching) found(out string) (executions, decisions int) {
	s.Helper()
	n, d := searched.FindStringSubmatch(out), shrunkTo.FindStringSubmatch(out+"\n")
	if n == nil || d == nil {
		s.Fatalf("not reproduced, or not shrunk:\n%s", out)
	}
	executions, _ = strconv.Atoi(n[1])
	decisions, _ = strconv.Atoi(d[1])
	return executions, decisions
}

// mean is how many executions the searches with other seeds take on average, with the events of the native recording,
// or without.
func (s *searching) mean(native string, withEvents bool) float64 {
	s.Helper()
	rec, err := recording.Read(native)
	if err != nil {
		s.Fatal(err)
	}
	if !withEvents {
		rec.Events = ""
	}
	name := rec.Subject[len("scenario "):]
	sum := 0
	for seed := range *searches {
		rec.Campaign = uint64(100 + seed)
		rec.Seed = subject.Seed(rec.Campaign, name, rec.Execution)
		file := filepath.Join(s.dir, fmt.Sprintf("search-%d-%t.rouse", seed, withEvents))
		if err := os.WriteFile(file, []byte(rec.String()), 0o600); err != nil {
			s.Fatal(err)
		}
		n, _ := s.found(s.stress(0, "shrink", file, "--search", fmt.Sprint(mostSearched)))
		sum += n
	}
	return float64(sum) / float64(*searches)
}
