//go:build chaos

package rouse_test

import (
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// What the README's example imports; the README leaves it out.
const exampleHeader = `package mailbox

import (
	"testing"
	"time"

	"github.com/rouse-go/rouse/chaos"
	"github.com/rouse-go/rouse/chaos/native"
	"github.com/rouse-go/rouse/hooks"
	"github.com/rouse-go/rouse/hooks/atomic"
	"github.com/rouse-go/rouse/hooks/sync"
)

`

// TestReadmeExample puts the README's example into a module of its own and runs
// it: it must fail, and say what the README shows.
func TestReadmeExample(t *testing.T) {
	readme, err := os.ReadFile("README.md")
	if err != nil {
		t.Fatal(err)
	}
	var code []string
	for _, m := range regexp.MustCompile("(?s)<!-- example -->\n```go\n(.*?)```").FindAllStringSubmatch(string(readme), -1) {
		code = append(code, m[1])
	}
	var shown []string
	for _, m := range regexp.MustCompile("(?s)<!-- output -->\n```\n(.*?)```").FindAllStringSubmatch(string(readme), -1) {
		shown = append(shown, m[1])
	}
	if len(code) != 3 || len(shown) != 2 {
		t.Fatalf("README.md has %d blocks of the example and %d of what it says; want 3 and 2", len(code), len(shown))
	}
	got, failed := runExample(t, exampleHeader+strings.Join(code, "\n"))
	if !failed {
		t.Fatalf("the example passes:\n%s", got)
	}
	report, _, _ := strings.Cut(got, "\nFAIL\n")
	if want := strings.Join(shown, ""); shape(report) != shape(want) {
		t.Errorf("the README shows\n%s\nthe example says\n%s", want, report)
	}
}

// runExample runs a test file against this checkout.
func runExample(t *testing.T, code string) (output string, failed bool) {
	t.Helper()
	out, err := goTest(exampleModule(t, code), "-tags", "chaos", ".")
	return out, err != nil
}

// goTest runs the tests of a module that exampleModule has made.
func goTest(dir string, args ...string) (output string, err error) {
	cmd := exec.Command("go", append([]string{"test"}, args...)...)
	cmd.Dir = dir
	out, err := cmd.CombinedOutput()
	return string(out), err
}

// exampleModule makes a module "mailbox" of a test file and this checkout.
func exampleModule(t *testing.T, code string) (dir string) {
	t.Helper()
	dir = t.TempDir()
	here, err := os.Getwd()
	if err != nil {
		t.Fatal(err)
	}
	mod, err := os.ReadFile("go.mod")
	if err != nil {
		t.Fatal(err)
	}
	sum, err := os.ReadFile("go.sum")
	if err != nil {
		t.Fatal(err)
	}
	text := strings.Replace(string(mod), "module github.com/rouse-go/rouse", "module mailbox", 1) +
		"\nrequire github.com/rouse-go/rouse v0.0.0\nreplace github.com/rouse-go/rouse => " + here + "\n"
	for name, content := range map[string]string{"go.mod": text, "go.sum": string(sum), "mailbox_test.go": code} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(content), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

// shape is output without what differs from run to run: numbers, times,
// folders, and blanks.
func shape(text string) string {
	text = regexp.MustCompile(`\S*/mailbox_test\.go`).ReplaceAllString(text, "mailbox_test.go")
	text = regexp.MustCompile(`0x[0-9a-f]+|[0-9a-f]{16}`).ReplaceAllString(text, "0")
	text = regexp.MustCompile(`[0-9.]+(µs|ms|s)?`).ReplaceAllString(text, "0")
	return strings.Join(strings.Fields(text), " ")
}
