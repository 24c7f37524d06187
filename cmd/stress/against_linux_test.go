package main

import (
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/rouse-go/rouse/chaos/recording"
	"github.com/rouse-go/rouse/chaos/verdict"
)

// edited writes a recording as it is after a change, and returns the name of the file.
func edited(t *testing.T, file, name string, change func(*recording.Recording)) string {
	t.Helper()
	rec, err := recording.Read(file)
	if err != nil {
		t.Fatal(err)
	}
	change(rec)
	name = filepath.Join(t.TempDir(), name)
	if err := rec.Write(name); err != nil {
		t.Fatal(err)
	}
	return name
}

// decides are the two lines of an explanation.
var decides = regexp.MustCompile(`(?m)^(?:      \| )?fails +if (.+(?:\n {14}.*)*)\n(?:      \| )?passes +if (.+(?:\n {14}.*)*)`)

// byTheDrop are the two lines if the notification decides that the scenario drops.
var byTheDrop = regexp.MustCompile(`(?m)^fails +with the fault drop at .* \(100 of 100 executions\)\npasses +without it \(100 of 100\)$`)

// Catches: a comparison with a passing execution, by its number or as a recording, that has no pair of operations, or one that
// is not in the failing execution; one with an execution that fails, or of something else.
func TestAgainst(t *testing.T) {
	t.Run("test", func(t *testing.T) {
		t.Parallel()
		panics := mendedFailures[2]
		dir, file := panics.record(t)
		rec, err := recording.Read(file)
		if err != nil || rec.Execution == 0 {
			t.Fatalf("execution %d, %v; want one after others that pass", rec.Execution, err)
		}
		byDefault := edited(t, file, "default.rouse", func(r *recording.Recording) { r.Entries = nil })
		for _, passing := range []string{"1:0", fmt.Sprintf("0x1:%d", rec.Execution-1), byDefault} {
			got := in(t, dir, plainBinary, "explain", file, "--against", passing, "--html", "page.html")
			got.want(t, 0)
			lines := decides.FindStringSubmatch(got.out)
			if lines == nil || strings.Count(lines[1], "m_test.go:13") != 2 || !strings.Contains(lines[2], "m_test.go:13") || strings.Contains(got.out, "not enough") {
				t.Errorf("%s: %q in\n%s", passing, lines, got.out)
			}
			if page := readFile(t, filepath.Join(dir, "page.html")); lines != nil && !strings.Contains(page, "; passes if main/") {
				t.Errorf("%s: the page has no such line", passing)
			}
		}
		failing := fmt.Sprintf("1:%d", rec.Execution)
		other := edited(t, file, "other.rouse", func(r *recording.Recording) { r.Subject = "example.com/m TestOther" })
		for passing, want := range map[string]string{
			failing: "--against " + failing + ": it fails, too: panic: ", file: "--against " + file + ": it fails, too: panic: ",
			other:  "--against " + other + `: it is a recording of example.com/m TestOther, want one of example.com/m TestTwice, as ` + file + " is\n",
			"1:x":  "--against 1:x: there is no such recording; want one, or SEED:EXECUTION\n",
			"none": "--against none: there is no such recording; want one, or SEED:EXECUTION\n",
		} {
			got := in(t, dir, plainBinary, "explain", file, "--against", passing, "--html", "none.html")
			if _, err := os.Stat(filepath.Join(dir, "none.html")); got.code != 2 || !strings.Contains(got.errs, "stress: "+want) || err == nil {
				t.Errorf("%s: exit code %d, page %v: %s%s", passing, got.code, err == nil, got.errs, got.out)
			}
		}
	})
	t.Run("refused", func(t *testing.T) {
		t.Parallel()
		dir, file := mendedFailures[2].record(t)
		native := filepath.Join(dir, "native.rouse")
		err := (&recording.Recording{
			Kind: recording.Native, Subject: "scenario passes", Seed: 0x603fd02d94892304, MaxProcs: 1, Verdict: verdict.Deadlock, // the seed follows from the scenario
			Setup: "- {name: passes, about: Nothing much happens., pool: {workers: [1]}, workload: inject, sizes: {jobs: 3}, expect: pass}",
		}).Write(native)
		if err != nil {
			t.Fatal(err)
		}
		explored := edited(t, file, "explored.rouse", func(r *recording.Recording) { r.Kind, r.Start, r.Clock = recording.Controlled, 0, "" })
		race := edited(t, file, "race.rouse", func(r *recording.Recording) { r.Verdict = verdict.DataRace })
		for _, test := range []struct{ file, passing, want string }{
			{native, "1:0", "--against 1:0: " + native + " is a native recording, whose operations are not known\n"},
			{explored, "1:0", "--against 1:0: " + explored + " is a recording of chaos.Explore, want one of stress test or of a scenario\n"},
			{race, "1:0", "--against 1:0: " + race + " is a recording of a data-race, which no order of operations decides\n"},
			{file, native, "--against " + native + ": it is a native recording, whose operations are not known\n"},
		} {
			got := in(t, dir, chaosBinary, "explain", test.file, "--against", test.passing, "--html", "none.html")
			if _, err := os.Stat(filepath.Join(dir, "none.html")); got.code != 2 || got.errs != "stress: "+test.want || got.out != "" || err == nil {
				t.Errorf("exit code %d, page %v: %s%s, want %s", got.code, err == nil, got.errs, got.out, test.want)
			}
		}
	})
	t.Run("scenario", func(t *testing.T) {
		t.Parallel()
		dir := t.TempDir()
		file := droppedRecording(t, dir)
		rec, err := recording.Read(file)
		if err != nil || rec.Execution == 0 {
			t.Fatalf("execution %d, %v; want one after others that pass", rec.Execution, err)
		}
		passing := fmt.Sprintf("1:%d", rec.Execution-1)
		got := in(t, dir, chaosBinary, "explain", file, "--against", passing, "--html", "page.html")
		got.want(t, 0)
		if !byTheDrop.MatchString(got.out) || strings.Contains(got.out, "not enough") {
			t.Errorf("it is the drop that decides:\n%s", got.out)
		}
		if page := readFile(t, filepath.Join(dir, "page.html")); !strings.Contains(page, "; passes without it (") {
			t.Error("the page has no such line")
		}
		noDrop := edited(t, file, "default.rouse", func(r *recording.Recording) { r.Entries = nil })
		got = in(t, dir, chaosBinary, "explain", file, "--against", noDrop)
		got.want(t, 0)
		if !byTheDrop.MatchString(got.out) {
			t.Errorf("it is the drop that decides, not an order:\n%s", got.out)
		}
		setup := edited(t, file, "setup.rouse", func(r *recording.Recording) { r.Setup = strings.Replace(r.Setup, "pct(3)", "pct(2)", 1) })
		for passing, want := range map[string]string{
			fmt.Sprintf("1:%d", rec.Execution): "it fails, too: lost-wakeup: ",
			file:                               "it fails, too: lost-wakeup: ",
			setup:                              "it is a recording of another setup of scenario dropped\n",
		} {
			if got := in(t, dir, chaosBinary, "explain", file, "--against", passing); got.code != 2 || !strings.HasPrefix(got.errs, "stress: --against "+passing+": "+want) {
				t.Errorf("%s: exit code %d: %s%s", passing, got.code, got.errs, got.out)
			}
		}
	})
}
