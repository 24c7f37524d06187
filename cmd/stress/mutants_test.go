package main

import (
	"encoding/json"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// checkout is the one that this test is part of.
const checkout = "../.."

func TestMutants(t *testing.T) {
	report := filepath.Join(t.TempDir(), "report.json")
	got := in(t, ".", chaosBinary, "mutants", "--dir", checkout, "--only", "notification-dropped", "--seeds", "2", "--json", report)
	got.want(t, 0)
	for _, want := range []string{"notification-dropped: J marks", "  sleep protocol jec=1 ", " lost-wakeup ", "mutation score: 1 of 1 killed\n"} {
		if !strings.Contains(got.out, want) {
			t.Errorf("want %q in\n%s%s", want, got.out, got.errs)
		}
	}
	text, err := os.ReadFile(report)
	if err != nil {
		t.Fatal(err)
	}
	lines := strings.Split(strings.TrimSpace(string(text)), "\n")
	var end struct {
		Schema, Killed, Mutants int
		Kind                    string
	}
	if err := json.Unmarshal([]byte(lines[len(lines)-1]), &end); err != nil || len(lines) != 2 ||
		end.Schema != 1 || end.Kind != "mutation-score" || end.Killed != 1 || end.Mutants != 1 {
		t.Errorf("%+v, %v in %s", end, err, text)
	}
}

// A single execution does not detect it.
func TestAMutantThatSurvives(t *testing.T) {
	got := in(t, checkout, chaosBinary, "mutants", "--only", "post-wakes-nobody", "--seeds", "1", "--executions", "1", "--json", "-")
	got.want(t, 1)
	if !strings.Contains(got.errs, "mutation score: 0 of 1 killed; not killed: post-wakes-nobody\n") ||
		!strings.Contains(got.errs, "not as expected: post-wakes-nobody, sleep protocol jec=1: pass, want lost-wakeup\n") {
		t.Errorf("%s", got.errs)
	}
	if lines := strings.Split(got.out, "\n"); len(lines) != 3 || !strings.HasPrefix(lines[0], `{"schema":1,"kind":"trial","mutant":"post-wakes-nobody"`) {
		t.Errorf("%s", got.out)
	}
}

// Catches: a source that has changed since, and a report that is begun all the same.
func TestMutantsOfAnotherSource(t *testing.T) {
	dir := t.TempDir()
	write(t, dir, "go.mod", "module github.com/rouse-go/rouse\n")
	if err := os.Mkdir(filepath.Join(dir, "sleep"), 0o700); err != nil {
		t.Fatal(err)
	}
	write(t, filepath.Join(dir, "sleep"), "parker.go", "package sleep\n")
	before := tree(t, dir)
	got := in(t, dir, chaosBinary, "mutants", "--only", "notification-dropped", "--json", "report.json")
	got.want(t, 2)
	want := regexp.MustCompile(`^stress: stress/mutants/notification-dropped\.diff:10:1: mutant notification-dropped: ` +
		`the hunk @@ -.* @@ .* fits 0 places in sleep/parker\.go, want one\n$`)
	if !want.MatchString(got.errs) || got.out != "" {
		t.Errorf("got  %s%swant %s", got.out, got.errs, want)
	}
	if after := tree(t, dir); !slices.Equal(before, after) {
		t.Errorf("the disk has changed from %q to %q", before, after)
	}
}

func TestMutantsWithoutGo(t *testing.T) {
	t.Setenv("PATH", t.TempDir())
	got := in(t, checkout, chaosBinary, "mutants")
	got.want(t, 3)
	if !strings.Contains(got.errs, "there is no go command in $PATH") || got.out != "" {
		t.Errorf("%s%s", got.out, got.errs)
	}
}
