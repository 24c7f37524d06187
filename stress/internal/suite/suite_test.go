package suite

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"reflect"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/rouse-go/rouse/chaos/verdict"
	"github.com/rouse-go/rouse/stress/internal/report"
)

// one runs the script of one test, and returns its result.
func one(t *testing.T, o Options) report.TestReport {
	t.Helper()
	r, err := Run(t.Context(), o)
	if err != nil || len(r.Tests) != 1 {
		t.Fatalf("%+v, %v", r, err)
	}
	checkCounts(t, &r.Tests[0])
	return r.Tests[0]
}

var named = regexp.MustCompile(`\bexecution (\d+)`)

// checkCounts: a test has as many executions as the numbers say that its report names.
func checkCounts(t *testing.T, r *report.TestReport) {
	t.Helper()
	if r.Execution >= r.Executions {
		t.Errorf("%s in execution %d, of %d", r.Status, r.Execution, r.Executions)
	}
	if r.Execution < 0 && r.Status == report.TestFailed { // by a recording, of another run
		return
	}
	for _, text := range append([]string{r.Summary}, r.Notes...) {
		for _, m := range named.FindAllStringSubmatch(text, -1) {
			if n, _ := strconv.Atoi(m[1]); n >= r.Executions {
				t.Errorf("%q, of %d executions", text, r.Executions)
			}
		}
	}
}

// recordings returns the recordings below a folder, by their paths in it.
func recordings(t *testing.T, dir string) (names []string) {
	t.Helper()
	err := filepath.WalkDir(dir, func(path string, d os.DirEntry, err error) error {
		if err == nil && !d.IsDir() {
			rel, _ := filepath.Rel(dir, path)
			names = append(names, filepath.ToSlash(rel))
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return names
}

func folder(t *testing.T, o *Options) string {
	t.Helper()
	all, err := o.list(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	return all[0].Dir
}

func TestPasses(t *testing.T) {
	r := one(t, fakes(t, "TestA"))
	if r.Status != report.TestPassed || r.Verdict != verdict.Pass || r.Executions != DefaultExecutions || r.Steps != 10*DefaultExecutions || r.Orders.Distinct != 100 {
		t.Errorf("%+v", r)
	}
	if !slices.Equal(r.Notes, []string{"2 goroutines are left behind"}) {
		t.Errorf("notes %q", r.Notes)
	}
}

// TestFailureIsRecorded: a failure is shrunk, verified, and recorded in the folder of the package.
func TestFailureIsRecorded(t *testing.T) {
	o := fakes(t, "TestA: fails 300")
	r := one(t, o)
	if r.Status != report.TestFailed || r.Verdict != verdict.Deadlock || r.Execution != 300 || r.Seed != 99 || r.Executions != 301 ||
		!strings.Contains(r.Report, "a table") {
		t.Errorf("%+v", r)
	}
	if got := recordings(t, folder(t, &o)); !slices.Equal(got, []string{"testdata/chaos/TestA/000000000000acec.rouse"}) {
		t.Fatalf("recorded %q", got)
	}
	text, err := os.ReadFile(r.Recording)
	if err != nil || len(parsed(string(text)).Entries) != 2 {
		t.Errorf("%v\n%s", err, text)
	}
	if want := "stress test example.com/fake -run '^TestA$' --replay " + r.Recording; r.Reproduce != want {
		t.Errorf("got %s, want %s", r.Reproduce, want)
	}
}

// TestReproduceNamesWhatDecides: the command that repeats a failure has the flags that the schedule
// depends on.
func TestReproduceNamesWhatDecides(t *testing.T) {
	o := fakes(t, "TestA: fails 3")
	o.Run, o.Skip, o.Build, o.Args = "TestA/one", "TestA/two", Build{Race: true, Short: true, Tags: "a,b", More: []string{"-mod=mod"}}, []string{"-x", "a b"}
	r := one(t, o)
	if want := "stress test example.com/fake -race -tags=a,b -mod=mod -short -run '^TestA$/one' -skip TestA/two --replay " + r.Recording + " -args -x 'a b'"; r.Reproduce != want {
		t.Errorf("got %s, want %s", r.Reproduce, want)
	}
	t.Setenv("TMPDIR", "/tmp/a b")
	var input *InputError
	if _, err := Run(t.Context(), o); !errors.As(err, &input) || !strings.HasSuffix(err.Error(), "want a TMPDIR without blanks") {
		t.Errorf("%v", err)
	}
}

// TestFindingsDoNotDependOnProcesses: of several failures that with the lowest number counts.
func TestFindingsDoNotDependOnProcesses(t *testing.T) {
	var first report.TestReport
	for _, procs := range []int{1, 2, 5} {
		o := fakes(t, "TestA: fails 301, fails 640, slow, dies 500, hangs 900")
		o.Procs = procs
		r := one(t, o)
		r.Duration, r.Recording, r.Reproduce = 0, "", ""
		if procs == 1 {
			first = r
		}
		if r.Execution != 301 || r.Executions != 302 || r.Executions != first.Executions || !reflect.DeepEqual(r.Orders, first.Orders) || r.Summary != first.Summary {
			t.Errorf("%d processes: %+v, want %+v", procs, r, first)
		}
	}
}

// TestTestsAreReportedInOrder: whatever the order in which they end.
func TestTestsAreReportedInOrder(t *testing.T) {
	o := fakes(t, "TestA: slow; TestB; TestC: fails 5; TestD: skips")
	o.Executions, o.Procs = 200, 3
	r, err := Run(t.Context(), o)
	var got []string
	for _, x := range r.Tests {
		got = append(got, x.Test+" "+string(x.Status))
	}
	if want := []string{"TestA ok", "TestB ok", "TestC FAIL", "TestD skip"}; err != nil || !slices.Equal(got, want) {
		t.Errorf("%q, %v", got, err)
	}
}

// TestPackagesAreReportedInOrder: also those without tests, beside tests that have yet to begin.
func TestPackagesAreReportedInOrder(t *testing.T) {
	o := fakes(t, "TestA; TestB: slow")
	all, _ := o.list(t.Context())
	o.listed = func(context.Context) ([]*listed, error) {
		return []*listed{{ImportPath: "example.com/a"}, all[0], {ImportPath: "example.com/b"}, all[0]}, nil
	}
	o.Executions = 150
	var got []string
	o.Observers = report.Observers{&onProgress{did: func(what string) { got = append(got, what) }}}
	_, err := Run(t.Context(), o)
	want := []string{"example.com/a", "TestA", "TestB", "example.com/b", "TestA", "TestB"}
	if err != nil || !slices.Equal(got, want) {
		t.Errorf("%q, %v", got, err)
	}
}

// Catches: an execution that is cut and ends the exploration, or counts as one that has ended.
func TestCut(t *testing.T) {
	r := one(t, fakes(t, "TestA: cut 9, cut 300"))
	if r.Status != report.TestPassed || r.Executions != DefaultExecutions || !slices.Contains(r.Notes,
		"2 of 1000 executions were cut at 10000000 steps, and explored up to there; --max-steps allows more") {
		t.Errorf("%+v", r)
	}
	if r = one(t, fakes(t, "TestA: cut 9, fails 20")); r.Status != report.TestFailed || r.Execution != 20 {
		t.Errorf("%+v", r)
	}
}

// TestUncontrolled: what cannot be repeated is neither a pass nor a failure, and leaves no recording.
func TestUncontrolled(t *testing.T) {
	for script, why := range map[string]string{
		"uncontrolled 9":                    "map iteration at m.go:5",
		"cut 0, cut 1, cut 2":               "execution 2 is too long to explore: not done after 10 steps; --max-steps allows more; 3 of 3 executions were explored up to there",
		"cut 9, cut 10, cut 12":             "execution 12 is too long to explore: not done after 10 steps; --max-steps allows more; 3 of 13 executions were explored up to there",
		"fails 9, unrepeatable":             "execution 9 failed (deadlock: all tasks wait), and cannot be repeated: step 7 differs: a system call at a.go:3",
		"fails 9, elsewhere":                "execution 9 failed (deadlock: all tasks wait), and cannot be repeated: step 9 differs",
		"fails 9, dies-settling, elsewhere": "execution 9 failed (deadlock: all tasks wait), and cannot be repeated: step 9 differs",
		// It has repeated twice when the shrunk one does not.
		"fails 9, shrunk-elsewhere, repeats 3": "execution 9 failed (deadlock: all tasks wait), and cannot be repeated: step 9 differs",
		"fails 9, refuses-settling":            "execution 9 failed (deadlock: all tasks wait), and cannot be repeated: a worker: recording:25:16: found nothing",
		"real 9":                               "FileInfo.ModTime at m.go:5, and the test fails",
		"strays 9":                             "execution 9 failed (deadlock: a coin decides), and cannot be repeated: the execution passes",
		// The executions that run alone begin again with the first.
		"fails 9, elsewhere, differs-alone 1, differs-alone 2": "execution 9 failed (deadlock: all tasks wait), and cannot be repeated: step 9 differs",
		"real 9, differs-alone 1, differs-alone 2":             "FileInfo.ModTime at m.go:5, and the test fails",
		"dies-once 140": "in execution 140 the process ended: exit code 7, and not when it was repeated",
	} {
		o := fakes(t, "TestA: "+script)
		o.Executions = 150 // each of those that follow the first has a process of its own
		r := one(t, o)
		if r.Status != report.TestUncontrolled || r.Verdict != verdict.Uncontrolled || r.Summary != why || r.Recording != "" {
			t.Errorf("%s: %+v", script, r)
		}
		if strings.HasPrefix(script, "fails 9, elsewhere") && !strings.HasSuffix(r.Report, "in execution 9 (random): all tasks wait\n\nit did not repeat in another process: step 9 differs\nwhat may help: --native") {
			t.Errorf("%s: the report is %q", script, r.Report)
		}
		if got := recordings(t, folder(t, &o)); len(got) > 0 {
			t.Errorf("%s: left %q", script, got)
		}
		if _, err := os.Stat(filepath.Join(folder(t, &o), "testdata")); err == nil {
			t.Errorf("%s: left a folder", script)
		}
	}
}

// list is a script: what, at those executions.
func list(what string, numbers ...int) string {
	var all []string
	for _, n := range numbers {
		all = append(all, fmt.Sprint(what, " ", n))
	}
	return strings.Join(all, ", ")
}

// TestGoesOnAfterWhatDoesNotRepeat: a failure that repeats is found after others that do not, or that follow from
// what is real, unless these are nearly all that there is.
func TestGoesOnAfterWhatDoesNotRepeat(t *testing.T) {
	var first, every []int
	for n := range 33 {
		first = append(first, n)
		if n%2 == 0 {
			every = append(every, n)
		}
	}
	for script, want := range map[string]string{
		"real 3, fails 9":                                      "FAIL 9",
		"strays 3, fails 9":                                    "FAIL 9",
		list("strays", every...) + ", fails 40":                "FAIL 40",
		list("real", every...) + ", fails 40":                  "FAIL 40",
		list("real", every...) + ", hidden 2, fails 40":        "FAIL 40",
		list("strays", every...) + ", hidden 2, fails 40":      "FAIL 40",
		list("strays", first...) + ", fails 40":                "uncontrolled 0",
		list("real", first...) + ", fails 40":                  "uncontrolled 0",
		list("strays", every...) + ", repeats 6, fails 40":     "uncontrolled 0",
		list("strays", every...) + ", elsewhere, fails 40":     "uncontrolled 0",
		list("strays", every...) + ", unrepeatable, fails 40":  "uncontrolled 0",
		list("real", every...) + ", hidden-settling, fails 40": "FAIL 40",
	} {
		o := fakes(t, "TestA: "+script+"; TestB")
		o.Executions = 45
		all, err := Run(t.Context(), o)
		if err != nil || len(all.Tests) != 2 || all.Tests[1].Status != report.TestPassed {
			t.Errorf("%s: %+v, %v", script, all, err)
			continue
		}
		r := all.Tests[0]
		checkCounts(t, &r)
		if got := fmt.Sprintf("%s %d", r.Status, r.Execution); got != want {
			t.Errorf("%s: %s, want %s: %+v", script, got, want, r)
		}
		unshrunk := slices.ContainsFunc(r.Notes, func(n string) bool { return strings.HasPrefix(n, "not shrunk: ") })
		if unshrunk != strings.Contains(script, "hidden-settling") {
			t.Errorf("%s: %q", script, r.Notes)
		}
		if hidden := slices.ContainsFunc(r.Notes, func(n string) bool { return strings.Contains(n, " of its repetitions ended before") }); hidden != strings.Contains(script, "hidden ") {
			t.Errorf("%s: %q", script, r.Notes)
		}
	}
}

// TestFallsBackToWhatWasFound: if what shrinking came to cannot be repeated, or it dies, the failure is
// reported as it was found.
func TestFallsBackToWhatWasFound(t *testing.T) {
	for script, note := range map[string]string{
		"shrunk-elsewhere": "not shrunk: shorter schedules of it do not repeat",
		"dies-settling":    "not shrunk: while it was shrunk, the process ended: exit code 4",
	} {
		r := one(t, fakes(t, "TestA: fails 9, "+script))
		text, err := os.ReadFile(r.Recording)
		if err != nil || r.Status != report.TestFailed || len(parsed(string(text)).Entries) != 5 || !slices.Contains(r.Notes, note) {
			t.Errorf("%s: %v, %+v", script, err, r)
		}
	}
}

// Catches: a note by which a failure is none, below the verdict FAIL.
func TestNotesDoNotContradict(t *testing.T) {
	for _, script := range []string{"dies 3", "dies-alone 3", "dies-alone 3, dies 5"} {
		a := one(t, fakes(t, "TestA: "+script))
		if a.Status != report.TestFailed || a.Execution != 3 {
			t.Errorf("%s: %+v", script, a)
		}
		for _, note := range a.Notes {
			if strings.Contains(note, "no failure") || strings.Contains(note, "not when it was repeated") || strings.Contains(note, "could not be repeated") {
				t.Errorf("%s: failed in execution %d, and the note %q", script, a.Execution, note)
			}
		}
	}
}

// TestDeath: an execution that ends its process fails, and the next test is not affected.
func TestDeath(t *testing.T) {
	r, err := Run(t.Context(), fakes(t, "TestA: dies 140; TestB"))
	if err != nil || len(r.Tests) != 2 || r.Tests[1].Status != report.TestPassed {
		t.Fatalf("%+v, %v", r, err)
	}
	a := r.Tests[0]
	if a.Status != report.TestFailed || a.Verdict != verdict.Panicked || a.Execution != 140 || a.Summary != "fatal error: concurrent map writes" ||
		!strings.Contains(a.Report, "/src/f.go:12") {
		t.Errorf("%+v", a)
	}
	if want := "stress test example.com/fake -run '^TestA$' --seed 0x7 --executions 141 --strategy portfolio --clock mixed"; a.Reproduce != want {
		t.Errorf("got %s, want %s", a.Reproduce, want)
	}
}

// Catches: a process that ends outside of an execution, so that nothing was tested, in a run that does not fail; and one
// whose end is put down to an execution, or recorded. It ends no other test.
func TestDeathOutsideOfAnExecution(t *testing.T) {
	const early, hint = ", before an execution began", "; --procs 1 does not run several processes of a package at a time"
	const failed = "execution 3 failed (deadlock: all tasks wait), and cannot be repeated: "
	for _, c := range []struct {
		script, want string
		procs        int
		native       bool
	}{
		{"dies-early 5", "the process ended: exit code 5" + early + hint, 2, false},
		{"dies-early 5", "the process ended: exit code 5" + early, 1, false},
		{"dies-early 0", "the process ended: exit code 0" + early, 1, false},
		{"dies-early 0", "the process ended: exit code 0" + early, 1, true},
		{"dies-early 3", "the process ended: exit code 3" + early + hint, 2, true},
		{"fails 3, exits-settling", failed + "the process ended: exit code 0" + early, 1, false},
		{"fails 3, exits-replaying", failed + "the process ended: exit code 0" + early, 1, false},
		{"hangs-early", "no progress for 5s" + early, 1, false},
		{"dies-between", "the process ended: exit code 2, after execution 127 had ended", 1, false},
	} {
		script := "TestA: " + c.script + "; TestB"
		if c.native {
			script += ": native"
		}
		o := fakes(t, script)
		o.Procs, o.Native, o.Timeout = c.procs, c.native, hangTimeout
		r, err := Run(t.Context(), o)
		if err != nil || len(r.Tests) != 2 || r.Tests[1].Status != report.TestPassed || r.Failed() != 1 {
			t.Fatalf("%+v: %+v, %v", c, r, err)
		}
		a := r.Tests[0]
		if a.Status != report.TestUncontrolled || !a.Broken || a.Summary != c.want || a.Recording != "" || len(a.Notes) > 0 && strings.Contains(c.script, "early") {
			t.Errorf("%+v: %+v", c, a)
		}
		if strings.HasPrefix(c.script, "dies-early") && a.Report != "the port is in use" {
			t.Errorf("%+v: report %q", c, a.Report)
		}
		if got := recordings(t, folder(t, &o)); len(got) > 0 {
			t.Errorf("%+v: recorded %q", c, got)
		}
	}
}

// Catches: a native failure of goroutines that an execution has left behind, which ends the process between two
// requests and is reported of no execution.
func TestNativeDeathAfterAnExecution(t *testing.T) {
	o := fakes(t, "TestA: dies-between, native")
	o.Native, o.Procs = true, 1
	if a := one(t, o); a.Status != report.TestFailed || a.Execution != batchSize-1 || a.Recording == "" || !strings.Contains(a.Summary, "left behind") {
		t.Errorf("%+v", a)
	}
}

// Catches: the end of a process in a batch that does not count, which hides the failure of one before it.
func TestDeathInALaterBatch(t *testing.T) {
	o := fakes(t, "TestA: fails 3, slow, dies-between")
	o.Procs = 2
	if a := one(t, o); a.Status != report.TestFailed || a.Execution != 3 || a.Broken {
		t.Errorf("%+v", a)
	}
}

// Catches: a TestMain that fails after the tests, of which nothing is said; and a process that was ended, or whose test
// has failed, that counts as such a TestMain.
func TestTearDown(t *testing.T) {
	const text = "TestMain ended with exit code 3 after the tests"
	for script, want := range map[string]bool{
		"TestA: tears-down 3; TestB":          true,
		"TestA; TestB: tears-down 3":          true,
		"TestA; TestB: tears-down 0":          false,
		"TestA: fails 3, tears-down 3; TestB": false,
		"TestA: taints, tears-down 3; TestB":  false,
		"TestA: tears-down 3, dies 4; TestB":  true, // executions 0 to 3 pass alone
		"TestA: skips, tears-down 3; TestB":   true,
		"TestA: tears-down 3, native; TestB":  true,
	} {
		for _, fails := range []bool{false, true} {
			o := fakes(t, script)
			o.UncontrolledFails, o.Executions, o.Native = fails, 5, strings.Contains(script, "native")
			r, err := Run(t.Context(), o)
			if err != nil || len(r.Tests) != 2 {
				t.Fatalf("%s: %+v, %v", script, r, err)
			}
			var packages []report.PackageReport
			failed := r.Count(report.TestFailed)
			if want && fails {
				failed++
			}
			if want {
				packages = []report.PackageReport{{Package: fakePackage, Notes: []string{text}, Ended: true, Output: "left: 3"}}
			}
			if !reflect.DeepEqual(r.Packages, packages) || r.Failed() != failed {
				t.Errorf("%s: got %+v, %d failed; want %+v, %d", script, r.Packages, r.Failed(), packages, failed)
			}
		}
	}
}

// hangTimeout ends a worker that hangs. One that does not must have started and answered by then, also
// on a busy machine.
const hangTimeout = 5 * time.Second

// TestHang: a worker without progress is ended, and the dump says where it was.
func TestHang(t *testing.T) {
	o := fakes(t, "TestA: hangs 140")
	o.Timeout = hangTimeout
	r := one(t, o)
	if r.Status != report.TestUncontrolled || r.Execution != 140 || !strings.HasPrefix(r.Summary, "outside of control: no progress for 5s in execution 140") ||
		!strings.Contains(r.Report, "fake).explore") {
		t.Errorf("%+v", r)
	}
}

// TestLongExecution: a worker whose execution makes steps is left to it.
func TestLongExecution(t *testing.T) {
	o := fakes(t, "TestA: works 140")
	o.Timeout = hangTimeout
	if r := one(t, o); r.Status != report.TestPassed || r.Executions != DefaultExecutions {
		t.Errorf("%+v", r)
	}
}

// TestTaintedWorkers: nothing more is asked of a worker that an execution has tainted.
func TestTaintedWorkers(t *testing.T) {
	if r := one(t, fakes(t, "TestA: taints")); r.Status != report.TestPassed || r.Executions != DefaultExecutions {
		t.Errorf("%+v", r)
	}
}

// TestLeftBatches: another worker runs the rest of a batch that a worker has left.
func TestLeftBatches(t *testing.T) {
	r := one(t, fakes(t, "TestA: leaves 10"))
	if r.Status != report.TestPassed || r.Executions != DefaultExecutions || r.Steps != 10*DefaultExecutions || !slices.Contains(r.Notes, "a lock was held") {
		t.Errorf("%+v", r)
	}
	if r := one(t, fakes(t, "TestA: leaves 10, fails 77")); r.Status != report.TestFailed || r.Execution != 77 || r.Executions != 78 {
		t.Errorf("%+v", r)
	}
}

func TestExhausted(t *testing.T) {
	o := fakes(t, "TestA: exhausts 70")
	o.Settings.Strategy = "dfs"
	if r := one(t, o); r.Status != report.TestPassed || r.Executions != 71 || r.Exhausted != "all there is (len of a channel is no operation, nor are plain memory accesses: -race reports their races; the executions shared a process)" {
		t.Errorf("%+v", r)
	}
}

// TestChanceOfNew: a test has the chance of a new order under a strategy that draws, and none under one that searches,
// whether it passes or fails.
func TestChanceOfNew(t *testing.T) {
	for by, want := range map[string]bool{"random": true, "dfs": false, "dfs(2)": false, "dpor": false} {
		for _, script := range []string{"TestA", "TestA: fails 77"} {
			o := fakes(t, script)
			o.Settings.Strategy = by
			r := one(t, o)
			if r.Orders == nil || (r.Orders.ChanceOfNew != nil) != want || r.Evidence != nil && r.Evidence.Searched == want {
				t.Errorf("%s, %s: %+v, %+v", by, script, r.Orders, r.Evidence)
			}
		}
	}
}

// TestEarlierRecordings: a failure that was recorded earlier is repeated first, and fails the test or is
// noted as fixed.
func TestEarlierRecordings(t *testing.T) {
	o := fakes(t, "TestA: fails 300")
	first := one(t, o)
	t.Setenv(scriptEnv, "TestA")
	again := one(t, o)
	if again.Status != report.TestFailed || again.Execution != -1 || again.Executions != 0 || again.Recording != first.Recording || again.Reproduce != first.Reproduce {
		t.Errorf("%+v", again)
	}
	t.Setenv(scriptEnv, "TestA: elsewhere")
	fixed := one(t, o)
	if want := "the recorded failure " + first.Recording + " no longer happens (deadlock: step 9 differs); remove the file, or keep it as a regression test"; fixed.Status != report.TestPassed ||
		!slices.Contains(fixed.Notes, want) {
		t.Errorf("%+v", fixed)
	}
}

// TestFolderThatCannotBeWritten: the recording goes to another folder, and a note says so.
func TestFolderThatCannotBeWritten(t *testing.T) {
	o := fakes(t, "TestA: fails 3")
	dir := folder(t, &o)
	if err := os.WriteFile(filepath.Join(dir, "testdata"), nil, 0o600); err != nil { // where a folder should be
		t.Fatal(err)
	}
	t.Chdir(t.TempDir())
	r := one(t, o)
	if want := filepath.Join("rouse-out", "example.com", "fake", "TestA", "000000000000abc3.rouse"); r.Recording != want ||
		!slices.ContainsFunc(r.Notes, func(n string) bool { return strings.HasPrefix(n, "recorded in rouse-out because ") }) {
		t.Errorf("%+v", r)
	}
	o.Out = filepath.Join("mine", "out")
	if r := one(t, o); r.Recording != filepath.Join(o.Out, "example.com", "fake", "TestA", "000000000000abc3.rouse") {
		t.Errorf("%+v", r)
	}
}

// TestInterrupted: the results until then are reported, and no process is left.
func TestInterrupted(t *testing.T) {
	o := fakes(t, "TestA: fails 3; TestB: slow; TestC")
	o.Procs, o.Executions = 1, 100000
	ctx, cancel := context.WithCancelCause(t.Context())
	stopped := errors.New("stopped")
	o.Observers = report.Observers{&onProgress{do: func(p report.Progress) {
		if p.Index == 1 && p.Executions > 0 {
			cancel(stopped)
		}
	}}}
	r, err := Run(ctx, o)
	if !errors.Is(err, stopped) || !r.Interrupted || len(r.Tests) != 2 || r.Tests[0].Status != report.TestFailed || r.Tests[1].Status != report.TestInterrupted {
		t.Errorf("%+v, %v", r, err)
	}
}

// TestInterruptedBuild: nothing is reported of a package that was being built.
func TestInterruptedBuild(t *testing.T) {
	o := fakes(t, "TestA")
	ctx, cancel := context.WithCancelCause(t.Context())
	stopped := errors.New("stopped")
	o.build = func(ctx context.Context, _ *listed) (binary, problem string, err error) {
		cancel(stopped)
		<-ctx.Done()
		return "", "", context.Cause(ctx)
	}
	if r, err := Run(ctx, o); !errors.Is(err, stopped) || !r.Interrupted || len(r.Tests)+len(r.Packages) > 0 {
		t.Errorf("%+v, %v", r, err)
	}
}

// TestInterruptedShrinking: the failure as it was found stays recorded.
func TestInterruptedShrinking(t *testing.T) {
	o := fakes(t, "TestA: fails 3, hangs-settling")
	ctx, cancel := context.WithCancelCause(t.Context())
	stopped := errors.New("stopped")
	o.Observers = report.Observers{&onProgress{do: func(report.Progress) {
		if _, err := os.Stat(filepath.Join(os.Getenv(onceEnv), "settling")); err == nil {
			cancel(stopped)
		}
	}}}
	dir := folder(t, &o)
	r, err := Run(ctx, o)
	if !errors.Is(err, stopped) || !r.Interrupted {
		t.Errorf("%+v, %v", r, err)
	}
	if kept, _ := filepath.Glob(filepath.Join(dir, "testdata", "chaos", "TestA", "*.rouse")); len(kept) != 1 {
		t.Errorf("recorded %v", kept)
	}
}

// TestTime: with a time for all, each test has some executions, and the run ends.
func TestTime(t *testing.T) {
	o := fakes(t, "TestA: slow; TestB: slow; TestC: slow")
	o.For = 300 * time.Millisecond
	r, err := Run(t.Context(), o)
	if err != nil || len(r.Tests) != 3 {
		t.Fatalf("%+v, %v", r, err)
	}
	for _, x := range r.Tests {
		if x.Status != report.TestPassed || x.Executions == 0 {
			t.Errorf("%+v", x)
		}
	}
}

// Catches: a long log of a test that is taken for something else than an answer.
func TestLongLog(t *testing.T) {
	if a := one(t, fakes(t, "TestA: logs 3")); a.Status != report.TestFailed || a.Execution != 3 {
		t.Errorf("%s, %s", a.Status, a.Summary)
	}
}

// Catches: one test that ends the run, and one whose result a test has made up. It is broken, and the run has failed.
func TestOneTestNeverEndsTheRun(t *testing.T) {
	for does, want := range map[string]string{
		"refuses 5": "a worker: no such test",
		"forges 5":  `a test has written into the file by which its process speaks with this one: "{\"kind\":\"explored\"`,
		"garbles 5": `a test has written into the file by which its process speaks with this one: "hello\n"`,
		"floods 5":  `a test has written into the file by which its process speaks with this one: "xxxxxxxx`,
		"logs 5":    "an answer of its process is longer than 1 MiB, which is what a test has logged",
		"closes 5":  "a test has closed the files by which its process speaks with this one",
		"removes 5": "the folder of the package is gone, and a test may have removed it: stat ",
	} {
		t.Run(strings.Fields(does)[0], func(t *testing.T) {
			o := fakes(t, "TestA: "+does+"; TestB: passes")
			o.Executions, o.Procs, o.Timeout, o.longest = 100, 1, hangTimeout, 1<<20
			r, err := Run(t.Context(), o)
			if err != nil || len(r.Tests) != 2 || r.Trouble != "" {
				t.Fatalf("%+v, %v", r, err)
			}
			a, b := r.Tests[0], r.Tests[1]
			if a.Status != report.TestUncontrolled || !a.Broken || !strings.HasPrefix(a.Summary, want) {
				t.Errorf("%+v, want %s", a, want)
			}
			if does == "removes 5" { // of the package, which both need
				if !b.Broken || r.Failed() != 2 {
					t.Errorf("%d failed, %+v", r.Failed(), b)
				}
			} else if b.Status != report.TestPassed || b.Executions != 100 || r.Failed() != 1 {
				t.Errorf("%d failed, %+v", r.Failed(), b)
			}
		})
	}
}

// TestCannotList: a worker that cannot list its tests breaks its package.
func TestCannotList(t *testing.T) {
	r, err := Run(t.Context(), fakes(t, "exits"))
	if err != nil || len(r.Packages) != 1 || r.Packages[0].Problem != "its tests cannot be listed: the process ended: exit code 3\nno flag for this" {
		t.Errorf("%+v, %v", r, err)
	}
}

// onProgress calls a function at each progress, and another with what is done.
type onProgress struct {
	do  func(report.Progress)
	did func(string)
}

func (o *onProgress) Observe(e report.Event) {
	switch e := e.(type) {
	case report.Progress:
		if o.do != nil {
			o.do(e)
		}
	case *report.PackageReport:
		o.done(e.Package)
	case *report.TestReport:
		o.done(e.Test)
	}
}

func (o *onProgress) done(what string) {
	if o.did != nil {
		o.did(what)
	}
}

// TestFirstFailure: the run ends with the first test that fails and can be repeated, or that does not end;
// nothing is shrunk or recorded.
func TestFirstFailure(t *testing.T) {
	for script, want := range map[string][]string{
		"TestA; TestB: fails 3; TestC: fails 1": {"TestA ok pass", "TestB FAIL deadlock"},
		"TestA: cut 3; TestB: fails 3":          {"TestA ok pass", "TestB FAIL deadlock"},
		"TestA: cut 3, cut 4, cut 5, cut 6, cut 7, cut 8, cut 9, cut 10, cut 11; TestB: fails 3": {"TestA uncontrolled uncontrolled"},
		"TestA: uncontrolled 3; TestB: fails 3, unrepeatable":                                    {"TestA uncontrolled uncontrolled", "TestB FAIL deadlock"},
		"TestA: fails 3, elsewhere; TestB; TestC: fails 200":                                     {"TestA uncontrolled uncontrolled", "TestB ok pass", "TestC FAIL deadlock"},
		"TestA: fails 3, hangs-settling; TestB: dies-settling":                                   {"TestA FAIL deadlock"},
	} {
		o := fakes(t, script)
		o.Procs, o.Executions, o.FirstFailure, o.Unrecorded = 1, 256, true, true
		o.Temporary = t.TempDir()
		r, err := Run(t.Context(), o)
		if got := status(r); err != nil || !slices.Equal(got, want) || r.Interrupted || r.Trouble != "" {
			t.Errorf("%s: got %q, %v, want %q", script, got, err, want)
		}
		if r.Tests[0].Endless != strings.Contains(script, "cut 11") {
			t.Errorf("%s: %+v", script, r.Tests[0])
		}
		if got := append(recordings(t, folder(t, &o)), recordings(t, o.Temporary)...); len(got) > 0 {
			t.Errorf("%s: left %q", script, got)
		}
	}
}
