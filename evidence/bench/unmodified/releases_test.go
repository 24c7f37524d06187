package unmodified

import (
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// Catches: a release that is tried each day, one that is never tried, and release candidates of what has come out.
func TestNewReleases(t *testing.T) {
	page := releasesTable()
	row := func(v string) string { return "| " + v + strings.Repeat(" | yes", len(Checks)) + " |\n" }
	text := []byte(page.begins + "\n" + page.head + row("go1.26.11") + row("go1.27.3") + row("go1.28rc1"))
	all := []string{"go1.24.9", "go1.26rc1", "go1.26.0", "go1.26.11", "go1.27rc2", "go1.27.0", "go1.27.3", "go1.27.4", "go1.28rc1", "go1.28rc2", "go1.29rc1", "go1.29.0"}
	got, err := NewReleases(text, all)
	if want := []string{"go1.27.4", "go1.28rc2", "go1.29.0"}; err != nil || !slices.Equal(got, want) {
		t.Errorf("%q, %v; want %q", got, err, want)
	}
	if got, err := NewReleases(text, all[:4]); err != nil || len(got) > 0 {
		t.Errorf("%q, %v; all have been tried", got, err)
	}
	if _, err := NewReleases([]byte("no table"), all); err == nil {
		t.Error("a page without a table is taken")
	}
}

// Catches: a check that fails and counts as one that holds, other cells and rows that are lost, and another order.
func TestTryRelease(t *testing.T) {
	page := releasesTable()
	none := strings.Repeat(" | -", len(Checks)-3) + " |\n"
	before := "before\n\n" + page.begins + "\n" + page.head
	text := []byte(before + "| go1.27.10 | yes | yes | yes" + none + "| go1.27.9 | - | no | no" + none + "\nafter\n")
	checks := []Check{
		{Name: Checks[0].Name, runs: []goRun{{args: []string{"env", "GOTOOLCHAIN"}}}},
		{Name: Checks[1].Name, runs: []goRun{{args: []string{"test", "-run", "^TestNone$", "."}}, {args: []string{"env"}}}},
	}
	for _, c := range checks { // the go command does not look for that release here
		for i := range c.runs {
			c.runs[i] = c.runs[i].with("GOTOOLCHAIN=local")
		}
	}
	var out strings.Builder
	cells, err := TryRelease(t.Context(), ".", "go1.27.9", checks, &out)
	if err != nil || !strings.Contains(out.String(), "go1.27.9, "+Checks[1].Name+": no\n") {
		t.Errorf("%v\n%s", err, &out)
	}
	got, err := IntoReleases(text, "go1.27.9", cells)
	want := before + "| go1.27.9 | yes | no | no" + none + "| go1.27.10 | yes | yes | yes" + none + "\nafter\n"
	if err != nil || string(got) != want {
		t.Errorf("%v, got\n%s\nwant\n%s", err, got, want)
	}
	if got, err := IntoReleases(text, "go1.28.0", nil); err != nil || !strings.Contains(string(got), "| go1.28.0"+strings.Repeat(" | -", len(Checks))+" |\n\nafter") {
		t.Errorf("%v\n%s", err, got)
	}
	if _, err := IntoReleases([]byte("no table"), "go1.28.0", nil); err == nil {
		t.Error("a page without a table is taken")
	}
}

// Catches: a page that the command cannot write into.
func TestReleasesPage(t *testing.T) {
	page, err := os.ReadFile("../../../docs/go-versions.md")
	if err != nil {
		t.Fatal(err)
	}
	if _, _, _, err := releasesTable().cut(page); err != nil {
		t.Error(err)
	}
}

// Catches: a check whose program or test is no longer where the check looks for it, so that each release fails it.
func TestChecksExist(t *testing.T) {
	const source = "../../.."
	for _, c := range Checks {
		for _, r := range c.runs {
			switch r.args[0] {
			case "run":
				if r.args[1] != "-C" {
					t.Fatalf("%s: %q", c.Name, r.args)
				}
				if _, err := os.Stat(filepath.Join(source, r.args[2], r.args[3])); err != nil {
					t.Errorf("%s: %v", c.Name, err)
				}
			case "test":
				i := slices.Index(r.args, "-run")
				pattern, folder := regexp.MustCompile(r.args[i+1]), filepath.Join(source, r.args[i+2])
				files, err := filepath.Glob(filepath.Join(folder, "*_test.go"))
				if err != nil {
					t.Fatal(err)
				}
				found := 0
				for _, name := range files {
					text, err := os.ReadFile(name)
					if err != nil {
						t.Fatal(err)
					}
					for _, test := range regexp.MustCompile(`(?m)^func (Test\w+)`).FindAllStringSubmatch(string(text), -1) {
						if pattern.MatchString(test[1]) {
							found++
						}
					}
				}
				if want := 1 + strings.Count(pattern.String(), "|") + strings.Count(pattern.String(), "?"); found != want {
					t.Errorf("%s: %d tests in %s match %s, want %d", c.Name, found, folder, pattern, want)
				}
			}
		}
	}
}
