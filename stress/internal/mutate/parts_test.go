package mutate

import (
	"errors"
	"fmt"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"golang.org/x/tools/go/packages"

	"github.com/rouse-go/rouse/stress/internal/operator"
	"github.com/rouse-go/rouse/stress/internal/report"
	"github.com/rouse-go/rouse/stress/internal/suite"
)

// ids are those of the mutants that a run would test.
func ids(t *testing.T, o Options) (all []string) {
	t.Helper()
	found, err := Find(t.Context(), o)
	if err != nil {
		t.Fatal(err)
	}
	for _, m := range found {
		all = append(all, m.ID)
	}
	return all
}

// TestSample: a larger sample has the mutants of a smaller one, in the order of all; another seed has others.
func TestSample(t *testing.T) {
	box(t)
	all, before := ids(t, Options{Seed: 1}), []string(nil)
	for n := 1; n <= len(all)+1; n += 8 {
		got := ids(t, Options{Seed: 1, Sample: n})
		if len(got) != min(n, len(all)) || slices.ContainsFunc(before, func(id string) bool { return !slices.Contains(got, id) }) {
			t.Errorf("of %d: %q, before %q", n, got, before)
		}
		at := 0
		for _, id := range all {
			if at < len(got) && got[at] == id {
				at++
			}
		}
		if at != len(got) {
			t.Errorf("another order: %q", got)
		}
		before = got
	}
	if one, two := ids(t, Options{Seed: 1, Sample: 10}), ids(t, Options{Seed: 2, Sample: 10}); slices.Equal(one, two) {
		t.Errorf("two seeds have the same sample %q", one)
	}
}

// TestSampleByOperator: operators take turns, in another order with another seed; an operator that has none
// left leaves its turn to the others.
func TestSampleByOperator(t *testing.T) {
	var all []*mutant
	for i := range 100 {
		op := "condition"
		if i%10 == 3 {
			op = fmt.Sprintf("rare-%d", i/30)
		}
		all = append(all, &mutant{report: report.MutantReport{Package: fmt.Sprint("p", i%3), ID: fmt.Sprintf("a.go/f/%s/%d", op, i), Operator: op}})
	}
	counts := func(n int, seed uint64) map[string]int {
		c := map[string]int{}
		for _, m := range sample(all, n, seed) {
			c[m.report.Operator]++
		}
		return c
	}
	firsts := map[string]bool{}
	for seed := range uint64(20) {
		for n, want := range map[int]map[string]int{
			5:  {"condition": 1, "rare-0": 1, "rare-1": 1, "rare-2": 1, "rare-3": 1},
			16: {"condition": 6, "rare-0": 3, "rare-1": 3, "rare-2": 3, "rare-3": 1},
			20: {"condition": 10, "rare-0": 3, "rare-1": 3, "rare-2": 3, "rare-3": 1},
		} {
			if got := counts(n, seed); !maps.Equal(got, want) {
				t.Errorf("seed %d, %d mutants: %v, want %v", seed, n, got, want)
			}
		}
		for op := range counts(1, seed) {
			firsts[op] = true
		}
	}
	if len(firsts) != 5 {
		t.Errorf("of 20 seeds, only %v were drawn first", firsts)
	}
}

// TestSince: only the mutants of changed lines and of new files, wherever in the repository the run begins.
func TestSince(t *testing.T) {
	dir := box(t)
	git := func(args ...string) {
		t.Helper()
		cmd := exec.Command("git", append([]string{"-c", "user.name=a", "-c", "user.email=a@b.c"}, args...)...)
		if out, err := cmd.CombinedOutput(); err != nil {
			t.Fatalf("git %s: %v\n%s", args, err, out)
		}
	}
	edit := func(old, new string) {
		t.Helper()
		text, err := os.ReadFile("box.go")
		if err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile("box.go", []byte(strings.Replace(string(text), old, new, 1)), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	git("init", "-q", "-b", "main")
	git("add", ".")
	git("commit", "-q", "-m", "one")
	git("checkout", "-q", "-b", "branch")
	edit("b.items[0]", "b.items[0+0]")
	git("commit", "-q", "-a", "-m", "two")
	git("checkout", "-q", "main")
	edit("b.closes++", "b.closes += 1") // on main only: not in the branch
	git("commit", "-q", "-a", "-m", "three")
	git("checkout", "-q", "branch")
	if err := os.WriteFile("new.go", []byte("package box\n\nfunc (b *Box[T]) Clear() {\n\tb.mu.Lock()\n\tb.items = nil\n\tb.mu.Unlock()\n}\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	if err := os.Mkdir("below", 0o700); err != nil {
		t.Fatal(err)
	}
	t.Chdir(filepath.Join(dir, "below"))
	got := ids(t, Options{Packages: []string{"example.com/box"}, Since: "main"})
	files := map[string]int{}
	for _, id := range got {
		name, _, _ := strings.Cut(id, "/")
		files[name]++
		if name == "box.go" && !strings.HasPrefix(id, "box.go/Box.Take/") {
			t.Errorf("its line has not changed: %s", id)
		}
	}
	if files["new.go"] < 2 || files["box.go"] < 1 {
		t.Errorf("%q", got)
	}
}

// TestReadDiff: what git prints of a file that is gone, of one whose name it quotes, and of lines that are
// only removed.
func TestReadDiff(t *testing.T) {
	got := readDiff("/r", `diff --git a/x.go b/x.go
--- a/x.go
+++ b/x.go
@@ -3 +3 @@ func f() {
-a
+b
@@ -10,2 +10,3 @@
-a
-b
+a
+b
+c
@@ -20 +21,0 @@
-gone
--- a/old.go
+++ /dev/null
@@ -1,2 +0,0 @@
-a
--- a/b
--- /dev/null
+++ "b/\303\244.go"
@@ -0,0 +1,2 @@
+a
+++ b/none.go
+++ b/two words.go`+"\t\n@@ -0,0 +7 @@\n+a\n")
	want := lines{"/r/x.go": {{3, 3}, {10, 12}}, "/r/ä.go": {{1, 2}}, "/r/two words.go": {{7, 7}}}
	if !maps.EqualFunc(got, want, slices.Equal) {
		t.Errorf("got %v, want %v", got, want)
	}
}

// TestBadInput: what the user can do something about is one clear error.
func TestBadInput(t *testing.T) {
	dir := box(t)
	files := map[string]string{
		"broken/broken.go": "package broken\n\nfunc f() { undefined() }\n", "untested/a.go": "package untested\n\nfunc F(c chan int) { close(c) }\n",
		"overlay.json": "{",
	}
	for name, text := range files {
		if err := errors.Join(os.MkdirAll(filepath.Dir(name), 0o700), os.WriteFile(name, []byte(text), 0o600)); err != nil {
			t.Fatal(err)
		}
	}
	t.Setenv("GIT_CEILING_DIRECTORIES", filepath.Dir(dir))
	for want, o := range map[string]Options{
		`unknown operator "delete-unlok"; did you mean "delete-unlock"?`:        {Operators: []string{"delete-unlok"}},
		`unknown way "rase"; did you mean "race"?`:                              {Ways: []string{"rase"}},
		"the way command wants a command":                                       {Ways: []string{"command"}},
		"command is not among the ways":                                         {Ways: []string{"plain"}, Command: "true"},
		"--since: git: not a git repository":                                    {Since: "main"},
		"directory not found":                                                   {Packages: []string{"./none"}},
		"no required module provides package example.com/x":                     {Packages: []string{"example.com/x"}},
		"found a file, want a package such as":                                  {Packages: []string{"./box.go"}},
		"the packages have no tests":                                            {Packages: []string{"./untested"}, Ways: []string{"plain"}},
		"the command fails without a mutant (exit code 4): echo no; exit 4\nno": {Ways: []string{"command"}, Command: "echo no; exit 4"},
		"overlay.json: unexpected end":                                          {Build: suite.Build{More: []string{"-overlay=overlay.json"}}},
	} {
		_, err := Run(t.Context(), o)
		var input *suite.InputError
		if !errors.As(err, &input) || !strings.Contains(err.Error(), want) {
			t.Errorf("got %v, want %s", err, want)
		}
	}
	t.Chdir(t.TempDir())
	if _, err := Run(t.Context(), Options{}); err == nil || !strings.Contains(err.Error(), "go.mod file not found") {
		t.Errorf("outside of a module: %v", err)
	}
	t.Chdir(dir)
	w := &watcher{}
	r, err := Run(t.Context(), Options{Packages: []string{"./broken"}, Ways: []string{"plain"}, Observers: report.Observers{w}})
	if err != nil || r.Broken() != 1 || !strings.Contains(w.problem, "broken.go:3:12: undefined: undefined") {
		t.Errorf("%v, %+v", err, r)
	}
	if _, err := Find(t.Context(), Options{Packages: []string{"./broken"}}); err == nil || !strings.Contains(err.Error(), "undefined: undefined") {
		t.Errorf("%v", err)
	}
	t.Setenv("PATH", "")
	var input *suite.InputError
	if _, err := Run(t.Context(), Options{}); err == nil || errors.As(err, &input) || !strings.HasPrefix(err.Error(), "the go command: ") {
		t.Errorf("without the go command: %v", err)
	}
}

// TestCommand: the exit code of a command decides, which finds the mutant in GOFLAGS; all mutants are
// tested so, whether tests run over them or not.
func TestCommand(t *testing.T) {
	box(t)
	const command = `file=$(echo "$GOFLAGS" | sed "s/.*-overlay=//;s/'.*//")
[ -z "$file" ] && exit 0
mutated=$(sed -n 's/.*": "\(.*\)".*/\1/p' "$file")
grep -q 'b.closes++' "$mutated" || { echo lost; echo count; exit 1; }
grep -q 'append(b.items, x)' "$mutated" || { echo odd; exit 3; }
grep -q 'if len(b.items) > 0' "$mutated" || { sleep 1000 & sleep 1000; }
exit 0`
	o := these("command", "Box.Close/delete-count/1", "Box.Put/append-in-front/1", "Box.Take/off-by-one-bound/1", "Box.Last/delete-unlock/1")
	o.Command, o.Budget = command, time.Second
	r, err := Run(t.Context(), o)
	if err != nil {
		t.Fatal(err)
	}
	differ(t, results(r), []string{
		"Box.Put/append-in-front/1 error; command error",
		"Box.Take/off-by-one-bound/1 killed; command timeout by : no end in time",
		"Box.Close/delete-count/1 killed; command killed by : count",
		"Box.Last/delete-unlock/1 survived; command survived",
	})
	if got := r.Mutants[0].Problem; got != "command: exit code 3: odd" {
		t.Errorf("%q", got)
	}
}

// TestUserOverlay: the user's own -overlay stays; a file that it replaces has no mutants.
func TestUserOverlay(t *testing.T) {
	dir := box(t)
	text, err := os.ReadFile("box_test.go")
	if err != nil {
		t.Fatal(err)
	}
	other := strings.Replace(string(text), "x != 1 || y != 2", "x != 2 || y != 1", 1) // which fails
	files := map[string]string{"elsewhere": other, "more.go": "package box\n\nfunc F(c chan int) { close(c) }\n", "more_": "package box\n\nfunc F(c chan int) { close(c); }\n",
		"overlay.json": fmt.Sprintf(`{"Replace": {"box_test.go": "elsewhere", %q: "more_"}}`, filepath.Join(dir, "more.go"))}
	for name, text := range files {
		if err := os.WriteFile(name, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	t.Setenv("GOFLAGS", "-overlay="+filepath.Join(dir, "overlay.json"))
	w := &watcher{}
	o := these("plain")
	o.Operators = []string{"append-in-front", "delete-close"} // F has one
	o.Observers = report.Observers{w}
	r, err := Run(t.Context(), o)
	if err != nil {
		t.Fatal(err)
	}
	differ(t, results(r), []string{"Box.Put/append-in-front/1 survived; plain survived"})
	differ(t, w.notes, []string{"more.go is replaced by -overlay: it has no mutants", "without a mutant, TestOrder does not pass with coverage: left out there"})
}

// TestInvalid: a mutant that does not compile is dropped in each way.
func TestInvalid(t *testing.T) {
	box(t)
	for _, ids := range [][]string{{"New/buffer-less/1"}, {"Box.Last/delete-unlock/1"}} {
		s, err := newSession(t.Context(), these("plain", ids...))
		if err != nil {
			t.Fatal(err)
		}
		end := len(s.mutants[0].source)
		s.mutants[0].Edits = []operator.Edit{{Start: end, End: end, New: "\nvar number int = \"\"\n"}}
		r, err := s.finish(t.Context())
		if err != nil || r.Count(report.MutantInvalid) != 1 || !strings.Contains(r.Mutants[0].Problem, "cannot use") {
			t.Errorf("%v, %+v", err, r)
		}
	}
}

// TestFailure: what is reported of the output of a test that failed.
func TestFailure(t *testing.T) {
	for output, want := range map[string]string{
		"--- FAIL: TestA/sub (0.00s)\n    a_test.go:3: got 1\n    a_test.go:4: more\nFAIL": "TestA|got 1",
		"panic: boom\n\ngoroutine 7 [running]:\nexample.com/a.TestB(0xc0)\n\t/a_test.go:3": "TestB|panic: boom",
		"==================\nWARNING: DATA RACE\n--- FAIL: TestC (0.00s)":                  "TestC|data race",
		"goleak: Errors on successful test run: found":                                     "|goleak: Errors on successful test run: found",
		"": "|exit code 9",
	} {
		by, what := failure(output, "exit code 9")
		if got := by + "|" + what; got != want {
			t.Errorf("%q: got %s, want %s", output, got, want)
		}
	}
	if by := running("panic: test timed out after 1s\n\trunning tests:\n\t\tTestD/sub (1s)\n"); by != "TestD" {
		t.Errorf("running %q", by)
	}
}

// TestListing: positions and debug information are no part of it, instructions and data are.
func TestListing(t *testing.T) {
	const text = "# example.com/a\nexample.com/a.(*Q[go.shape.[]int]).Put STEXT size=4\n\t0x0000 00000 (/a/a.go:15)\tINCQ\tAX\n" +
		"go:info.example.com/a.f$abstract SDWARFABSFCN dupok size=47\n\t0x0000 3d\nexample.com/a.x SNOPTRDATA size=8\n\t0x0000 01 00\n# example.com/a.test\n"
	first, functions := readListing(text)
	if !functions["example.com/a.(*Q).Put"] || len(functions) != 1 || len(first) != 2 {
		t.Errorf("%v, %v", first, functions)
	}
	for change, same := range map[string]bool{"a.go:15\ta.go:16": true, "0x0000 3d\t0x0000 3c": true, "INCQ\tDECQ": false, "01 00\t02 00": false} {
		old, new, _ := strings.Cut(change, "\t")
		changed, _ := readListing(strings.Replace(text, old, new, 1))
		if maps.Equal(first, changed) != same {
			t.Errorf("%s in place of %s: the same: %t", new, old, !same)
		}
	}
}

// TestAffordable: tests run if the sum of their times, or the time of all in one process, fits the budget;
// or else those that take the least time, and one in any case.
func TestAffordable(t *testing.T) {
	m := &mutant{pkg: &pkg{Package: &packages.Package{}}}
	for i, seconds := range []int{2, 1, 5, 0} {
		m.tests = append(m.tests, &test{name: string(rune('A' + i)), passes: map[string]time.Duration{Plain: time.Duration(seconds) * time.Second}})
	}
	for _, c := range []struct {
		budget, together int
		want             string
		most             int
	}{{8, 0, "ABC", 24}, {30, 0, "ABC", 30}, {7, 0, "BA", 9}, {1, 0, "B", 3}, {7, 6, "ABC", 18}} {
		s := &session{Options: Options{Budget: time.Duration(c.budget) * time.Second}}
		m.pkg.together = map[string]time.Duration{Plain: time.Duration(c.together) * time.Second}
		all, planned, wait := s.affordable(m, Plain)
		got := ""
		for _, t := range all {
			got += t.name
		}
		if got != c.want || planned != 3 || wait.most != time.Duration(c.most)*time.Second {
			t.Errorf("%+v: %s of %d in %v", c, got, planned, wait)
		}
	}
}
