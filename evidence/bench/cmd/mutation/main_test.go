package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/rouse-go/rouse/internal/command"
	"go.uber.org/goleak"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

const report = `{"schema":1,"kind":"mutation","seed":"0x1","ways":["plain"],"budget_seconds":10,"go":"go1"}
{"schema":1,"kind":"mutant","package":"p","id":"f.go/F/x/1","operator":"x","file":"f.go","line":7,"column":2,"function":"F","what":"w","status":"survived","trials":[{"way":"plain","outcome":"survived"}],"tests":["T"]}
`

func run(t *testing.T, args ...string) (code int, out, errs string) {
	t.Helper()
	var o, e strings.Builder
	code = command.Run(t.Context(), newRoot(), args, &o, &e)
	return code, o.String(), e.String()
}

// Catches: a subject that cannot be added by its files, and survivors without an entry that are not named.
func TestConvertAndPage(t *testing.T) {
	dir := t.TempDir()
	data, file, page := filepath.Join(dir, "data"), filepath.Join(dir, "report.json"), filepath.Join(dir, "page.md")
	if err := os.Mkdir(data, 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(file, []byte(report), 0o600); err != nil {
		t.Fatal(err)
	}
	code, out, errs := run(t, "convert", "small", "--data", data, "--as", "plain=with | a bar", file)
	if want := "  p:\n    f.go/F/x/1: # f.go:7:2, w\n      kind: open\n      why: \"\"\n"; code != command.ExitFound || out != want {
		t.Fatalf("exit code %d, %s\n%s\nwant\n%s", code, errs, out, want)
	}
	if code, _, errs := run(t, "page", "--data", data, "--into", page); code != command.ExitTool || !strings.Contains(errs, "small.yaml") {
		t.Errorf("without a judgement: exit code %d, %s", code, errs)
	}
	entry := "title: Small\nsurvivors:\n" + strings.ReplaceAll(out, `""`, "no test looks")
	if err := os.WriteFile(filepath.Join(data, "small.yaml"), []byte(entry), 0o600); err != nil {
		t.Fatal(err)
	}
	if code, out, errs := run(t, "convert", "small", "--data", data, "--as", "plain=with | a bar", file); code != 0 || out != "" {
		t.Errorf("again: exit code %d, %s %s", code, out, errs)
	}
	if code, _, errs := run(t, "page", "--data", data, "--into", page); code != 0 {
		t.Fatalf("exit code %d, %s", code, errs)
	}
	text, err := os.ReadFile(page)
	if err != nil || !strings.Contains(string(text), "| with \\| a bar | 10 s | 1 |") || !strings.Contains(string(text), "| f.go:7:2 | `x`: w | open | no test looks |") {
		t.Errorf("error %v, page\n%s", err, text)
	}
}

// Catches: names that lead out of the folder, and arguments that are ignored.
func TestUsage(t *testing.T) {
	for _, args := range [][]string{
		{"convert"}, {"convert", "queue"}, {"convert", "../queue", "a.json"}, {"page", "queue"}, {"pages"}, {"convert", "queue", "a.json", "--as", "plain"},
	} {
		if code, _, errs := run(t, args...); code != command.ExitUsage || errs == "" {
			t.Errorf("%q: exit code %d, %s", args, code, errs)
		}
	}
	if code, _, _ := run(t, "convert", "queue", filepath.Join(t.TempDir(), "none.json"), "--data", t.TempDir()); code != command.ExitTool {
		t.Errorf("a report that there is not: exit code %d", code)
	}
}
