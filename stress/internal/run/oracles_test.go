package run

import (
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/rouse-go/rouse"
	"github.com/rouse-go/rouse/chaos/verdict"
)

// TestOraclesTable: there is a row for each verdict, and its control is where it says.
func TestOraclesTable(t *testing.T) {
	var verdicts []verdict.Verdict
	tests := testNames(t)
	for _, o := range Oracles() {
		verdicts = append(verdicts, o.Verdict)
		scenario := strings.Contains(string(rouse.Scenarios), "name: "+o.Control+"\n")
		if !scenario && !tests[o.Control] {
			t.Errorf("%s: %s is neither a scenario nor a test", o.Verdict, o.Control)
		}
		if !slices.Contains([]string{"native", "control", "both"}, o.Modes) || o.Sees == "" {
			t.Errorf("%+v", o)
		}
	}
	if want := verdict.All()[1:]; !slices.Equal(verdicts, want) {
		t.Errorf("the table has %v, want %v", verdicts, want)
	}
}

// testNames are those of the module's tests.
func testNames(t *testing.T) map[string]bool {
	t.Helper()
	names := map[string]bool{}
	err := filepath.WalkDir("../../..", func(path string, _ fs.DirEntry, err error) error {
		if err != nil || !strings.HasSuffix(path, "_test.go") {
			return err
		}
		text, err := os.ReadFile(path)
		for line := range strings.Lines(string(text)) {
			if name, ok := strings.CutPrefix(line, "func "); ok && strings.HasPrefix(name, "Test") {
				name, _, _ = strings.Cut(name, "(")
				names[name] = true
			}
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	if len(names) < 100 {
		t.Fatalf("%d tests found", len(names))
	}
	return names
}
