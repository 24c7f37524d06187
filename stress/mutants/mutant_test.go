package mutants

import (
	"flag"
	"fmt"
	"go/parser"
	"go/token"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"reflect"
	"regexp"
	"slices"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/rouse-go/rouse/chaos/verdict"
)

var update = flag.Bool("update", false, "TestAllApply: write the diffs anew, with the positions and the context of this source")

// here is the checkout that this test is part of.
const here = "../.."

func embedded(t *testing.T) []mutant {
	t.Helper()
	all, err := all()
	if err != nil {
		t.Fatal(err)
	}
	return all
}

// Catches: a change of sleep or pool that a mutant has not followed, and a hunk that is no Go.
func TestAllApply(t *testing.T) {
	names := []string{}
	for _, m := range embedded(t) {
		names = append(names, m.name)
		changed, err := m.apply(os.DirFS(here))
		if err != nil {
			t.Error(err)
			continue
		}
		for file, text := range changed {
			if _, err := parser.ParseFile(token.NewFileSet(), file, text, parser.SkipObjectResolution); err != nil {
				t.Errorf("%s: %v", m.name, err)
			}
		}
		if *update && len(changed) > 0 {
			rewrite(t, m, changed)
		}
	}
	if !slices.IsSorted(names) || !slices.Contains(names, control) || len(names) < 2 {
		t.Errorf("the mutants are %q", names)
	}
}

// rewrite replaces the hunks in the mutant's file by those of git diff, with two lines of context or
// as many as they need to fit one place only.
func rewrite(t *testing.T, m mutant, changed map[string]string) {
	t.Helper()
	dir, name := t.TempDir(), path.Base(m.file)
	for file, text := range changed {
		original, err := os.ReadFile(filepath.Join(here, file))
		if err != nil {
			t.Fatal(err)
		}
		for side, text := range map[string]string{"a": strings.ReplaceAll(string(original), "\r\n", "\n"), "b": text} {
			to := filepath.Join(dir, side, file)
			if err := os.MkdirAll(filepath.Dir(to), 0o700); err != nil {
				t.Fatal(err)
			}
			if err := os.WriteFile(to, []byte(text), 0o600); err != nil {
				t.Fatal(err)
			}
		}
	}
	data, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	head, _, _ := strings.Cut(string(data), "--- a/")
	for context := 2; ; context++ {
		diff := exec.Command("git", "diff", "--no-index", "--no-prefix", "--no-color", fmt.Sprintf("-U%d", context), "a", "b")
		diff.Dir = dir
		out, err := diff.Output()
		if diff.ProcessState.ExitCode() != 1 {
			t.Fatalf("git diff: %v", err)
		}
		text := head + string(regexp.MustCompile(`(?m)^(diff|index) .*\n`).ReplaceAll(out, nil))
		again, err := parse(m.file, []byte(text))
		if err != nil {
			t.Fatal(err)
		}
		if got, err := again.apply(os.DirFS(here)); err != nil || !reflect.DeepEqual(got, changed) {
			continue
		}
		if err := os.WriteFile(name, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		return
	}
}

var (
	mutantName  = regexp.MustCompile(`^[a-z0-9]+(-[a-z0-9]+)*$`)
	mutableFile = regexp.MustCompile(`^(sleep|pool)/[a-z0-9_]+\.go$`)
)

// incomplete returns what a mutant lacks, or "".
func incomplete(m mutant) string {
	for _, t := range m.trials {
		switch {
		case t.Expect == "":
			return "a program without expect"
		case t.Expect == verdict.Pass && t.Note == "":
			return "expect: pass without a note that says why nothing detects the mutant"
		case t.Expect == verdict.Pass && len(t.Published) > 0:
			return "expect: pass with published figures"
		}
	}
	for _, h := range m.hunks {
		if !mutableFile.MatchString(h.file) || strings.HasSuffix(h.file, "_test.go") {
			return "a change of " + h.file + ", want a file of sleep or pool that is no test"
		}
	}
	switch {
	case !mutantName.MatchString(m.name):
		return "the name " + m.name + ", want lower-case words joined by hyphens"
	case m.about == "":
		return "no about"
	case len(m.trials) == 0:
		return "no program"
	case (m.name == control) != (len(m.hunks) == 0):
		return "a defect in the control, or none in another mutant"
	case m.name == control && m.detectable():
		return "a control that is to be detected"
	}
	return ""
}

func TestAllAreComplete(t *testing.T) {
	for _, m := range embedded(t) {
		if lacks := incomplete(m); lacks != "" {
			t.Errorf("%s: found %s", m.file, lacks)
		}
	}
	for _, c := range []struct{ old, new, want string }{
		{"about: It", "# It", "no about"},
		{"expect: lost-wakeup\n", "", "a program without expect"},
		{"expect: lost-wakeup", "expect: pass\nnote: x", "expect: pass with published figures"},
		{"note: Nothing observes it.\n", "", "expect: pass without a note that says why nothing detects the mutant"},
		{"b/sleep/jec.go", "b/sleep/../go.mod", "a change of sleep/../go.mod, want a file of sleep or pool that is no test"},
		{"b/sleep/jec.go", "b/sleep/jec_test.go", "a change of sleep/jec_test.go, want a file of sleep or pool that is no test"},
		{"b/sleep/jec.go", "/etc/jec.go", "a change of /etc/jec.go, want a file of sleep or pool that is no test"},
		{whole[strings.Index(whole, "program:"):strings.Index(whole, "---")], "", "no program"},
		{whole[strings.Index(whole, "---"):], "", "a defect in the control, or none in another mutant"},
		{"", "", ""},
	} {
		m, err := parse(wholeFile, []byte(strings.Replace(whole, c.old, c.new, 1)))
		if err != nil {
			t.Fatal(err)
		}
		if got := incomplete(m); got != c.want {
			t.Errorf("%q for %q: got %q, want %q", c.new, c.old, got, c.want)
		}
	}
	control := mutant{name: control, about: "x", trials: []trial{{Expect: verdict.Invariant}}}
	if incomplete(control) != "a control that is to be detected" || incomplete(mutant{name: "-x"}) == "" {
		t.Error("a control that is to be detected, or a bad name, is complete")
	}
}

// The source of two files.
var twoFiles = fstest.MapFS{
	"sleep/jec.go": {Data: []byte("one\ntwo\nthree\ntwo\nfour\n")},
	"pool/pool.go": {Data: []byte("one\r\ntwo\r\n")},
}

// diffed is a mutant of these hunks.
func diffed(t *testing.T, hunks string) mutant {
	t.Helper()
	m, err := parse("m.diff", []byte("about: x\n"+hunks))
	if err != nil {
		t.Fatal(err)
	}
	return m
}

func TestApply(t *testing.T) {
	m := diffed(t, `
--- a/sleep/jec.go
+++ b/sleep/jec.go
@@ -91,1 +91,1 @@ the position does not matter
-one
+1
@@ -9,2 +9,2 @@
-three
-two
+3
+2
--- a/pool/pool.go
+++ b/pool/pool.go
@@ -1,2 +1 @@
 one
-two
`)
	got, err := m.apply(twoFiles)
	if err != nil || len(got) != 2 || got["sleep/jec.go"] != "1\ntwo\n3\n2\nfour\n" || got["pool/pool.go"] != "one\n" {
		t.Errorf("%q, %v", got, err)
	}
}

// Catches: a mutant that a comment beside it disables.
func TestApplyIgnoresContextThatHasChanged(t *testing.T) {
	const head = "--- a/sleep/jec.go\n+++ b/sleep/jec.go\n"
	for hunk, want := range map[string]string{
		"@@ -1,3 +1,3 @@\n One\n two\n-three\n+3\n":         "one\ntwo\n3\ntwo\nfour\n",
		"@@ -2,3 +2,3 @@\n two\n-three\n+3\n Two\n":         "one\ntwo\n3\ntwo\nfour\n",
		"@@ -1,4 +1,5 @@\n One\n two\n+2.5\n three\n Two\n": "one\ntwo\n2.5\nthree\ntwo\nfour\n",
	} {
		if got, err := ptr(diffed(t, head+hunk)).apply(twoFiles); err != nil || got["sleep/jec.go"] != want {
			t.Errorf("%s: %q, %v", hunk, got, err)
		}
	}
}

func ptr(m mutant) *mutant { return &m }

func TestApplyWantsOnePlace(t *testing.T) {
	for _, c := range []struct{ file, hunk, want string }{
		{"sleep/jec.go", "@@ -1 +1 @@\n-two\n+2\n", "m.diff:4:1: mutant m: the hunk @@ -1,1 +1,1 @@ fits 2 places in sleep/jec.go, want one"},
		{"sleep/jec.go", "@@ -1,2 +1 @@\n-\tfive\n-six\n+2\n", "m.diff:4:1: mutant m: the hunk @@ -1,2 +1,1 @@ fits 0 places in sleep/jec.go, want one"},
		{"sleep/jec.go", "@@ -1 +1 @@\n-wo\n+2\n", "m.diff:4:1: mutant m: the hunk @@ -1,1 +1,1 @@ fits 0 places in sleep/jec.go, want one"},
		{"sleep/jec.go", "@@ -1,2 +1,3 @@\n five\n+5.5\n six\n", "m.diff:4:1: mutant m: the hunk @@ -1,2 +1,3 @@ fits 0 places in sleep/jec.go, want one"},
		{"sleep/jec.go", "@@ -1,2 +1,2 @@\n five\n-two\n+2\n", "m.diff:4:1: mutant m: the hunk @@ -1,2 +1,2 @@ fits 2 places in sleep/jec.go, want one"},
		{"sleep/none.go", "@@ -1 +1 @@\n-two\n+2\n", "m.diff:4:1: mutant m: open sleep/none.go: file does not exist"},
	} {
		m := diffed(t, "--- a/"+c.file+"\n+++ b/"+c.file+"\n"+c.hunk)
		if got, err := m.apply(twoFiles); err == nil || err.Error() != c.want || got != nil {
			t.Errorf("got  %v\nwant %s", err, c.want)
		}
	}
}

func TestChoose(t *testing.T) {
	all := embedded(t)
	if got, err := choose(all, nil); err != nil || len(got) != len(all) {
		t.Errorf("%d of %d mutants, %v", len(got), len(all), err)
	}
	got, err := choose(all, []string{"no-final-check", "jec-not-moved"})
	if err != nil || len(got) != 2 || got[0].name != "no-final-check" || got[1].name != "jec-not-moved" {
		t.Errorf("%v, %v", got, err)
	}
	for want, names := range map[string][]string{
		`unknown mutant "no-final-chek"; did you mean "no-final-check"?`: {"no-final-chek"},
		"mutant no-final-check is named twice":                           {"no-final-check", "no-final-check"},
	} {
		if _, err := choose(all, names); err == nil || err.Error() != want {
			t.Errorf("got %v, want %s", err, want)
		}
	}
}

func TestOpenCheckout(t *testing.T) {
	if _, err := openCheckout(here); err != nil {
		t.Error(err)
	}
	dir := t.TempDir()
	for _, text := range []string{"", "module example.org/rouse\n"} {
		if text != "" {
			if err := os.WriteFile(dir+"/go.mod", []byte(text), 0o600); err != nil {
				t.Fatal(err)
			}
		}
		if _, err := openCheckout(dir); err == nil || !strings.HasSuffix(err.Error(), "want the root of a checkout of "+module) {
			t.Errorf("go.mod %q: %v", text, err)
		}
	}
	t.Setenv("PATH", dir)
	if _, err := openCheckout(here); err != errNoGo {
		t.Errorf("without go: %v", err)
	}
}
