package unmodified

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// Catches: rows of other suites that are lost, rows that appear twice, and text around the table that changes.
func TestInto(t *testing.T) {
	page := "before\n\n" + suitesTable.begins + "\n" + suitesTable.head + "| goleak | v1 | old |\n| sync | v2 | old |\n\nafter\n"
	got, err := Into([]byte(page), []*Row{
		{Suite: Suite{Name: "queue", Version: "v1.1.0"}, Tests: 8, Executions: 8000, Steps: 1_020_003, Seconds: 2},
		{Suite: Suite{Name: "goleak", Version: "v1.3.0"}, Tests: 2, Skipped: 1, Executions: 40, Seconds: 1, Failed: []string{"a"}, Uncontrolled: []string{"b", "c"}},
	})
	if err != nil {
		t.Fatal(err)
	}
	want := "before\n\n" + suitesTable.begins + "\n" + suitesTable.head + "| sync | v2 | old |\n| goleak | v1.3.0 | 2 | 1 | 40 | 0 | 40 | 1 | 2 |\n" +
		"| queue | v1.1.0 | 8 | 0 | 8,000 | 1,020,003 | 4,000 | 0 | 0 |\n\nafter\n"
	if string(got) != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
	if _, err := Into([]byte("no table"), nil); err == nil {
		t.Error("a page without a table is taken")
	}
}

// Catches: a run that is continued and repeats a suite, leaves one out, or changes the list.
func TestMissing(t *testing.T) {
	page := "before\n\n" + suitesTable.begins + "\n" + suitesTable.head + "| goleak | v1 | old |\n| sync | v2 | old |\n\n| queue | after the table |\n"
	suites := []Suite{{Name: "sync"}, {Name: "queue"}, {Name: "goleak"}, {Name: "go"}}
	missing, err := Missing([]byte(page), suites)
	if err != nil || len(missing) != 2 || missing[0].Name != "queue" || missing[1].Name != "go" || suites[3].Name != "go" {
		t.Errorf("%v of %v: %v", missing, suites, err)
	}
	if _, err := Missing([]byte("no table"), suites); err == nil {
		t.Error("a page without a table is taken")
	}
}

// Catches: a page without the table that --into wants, and recordings of a suite that there is not, or that
// the page does not name.
func TestPage(t *testing.T) {
	page, err := os.ReadFile("../../suites.md")
	if err != nil {
		t.Fatal(err)
	}
	if _, err := Into(page, nil); err != nil {
		t.Error(err)
	}
	all, err := filepath.Glob("../../suites/*/*")
	if err != nil {
		t.Fatal(err)
	}
	known := 0
	for _, s := range Suites {
		files, err := s.Recordings("../../suites")
		if err != nil {
			t.Fatal(err)
		}
		for _, file := range files {
			if name := "suites/" + s.Name + "/" + filepath.Base(file); !strings.Contains(string(page), "("+name+")") {
				t.Errorf("the page has no link to %s", name)
			}
		}
		known += len(files)
	}
	if known != len(all) {
		t.Errorf("evidence/suites has %d files, and %d of them are recordings of suites", len(all), known)
	}
}
