//go:build chaos

package rouse_test

import (
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/rouse-go/rouse/chaos"
	"github.com/rouse-go/rouse/chaos/plan"
	_ "github.com/rouse-go/rouse/examples/queue" // its hook points are in the plans of the pages
	_ "github.com/rouse-go/rouse/pool"           // declares its points, and sleep's
)

// programs are what the pages call, by the package that each is built of.
var programs = map[string]string{"stress": "./cmd/stress", "queue-stress": "./examples/queue/stress"}

// build builds the programs into bin, in a new folder where examples is the one of this checkout.
func build(t *testing.T) (dir string) {
	t.Helper()
	dir = t.TempDir()
	for name, pkg := range programs {
		if out, err := exec.Command("go", "build", "-tags", "chaos", "-o", filepath.Join(dir, "bin", name), pkg).CombinedOutput(); err != nil {
			t.Fatalf("%v: %s", err, out)
		}
	}
	examples, err := filepath.Abs("examples")
	if err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink(examples, filepath.Join(dir, "examples")); err != nil {
		t.Fatal(err)
	}
	return dir
}

// sh runs a command line in a folder.
func sh(dir, line string) (output string, code int) {
	cmd := exec.Command("sh", "-c", line)
	cmd.Dir = dir
	cmd.Env = append(os.Environ(), "CI=", "GITHUB_ACTIONS=", "CHAOS_SEED=")
	out, err := cmd.CombinedOutput()
	if err != nil && cmd.ProcessState == nil {
		return err.Error(), -1
	}
	return string(out), cmd.ProcessState.ExitCode()
}

// Catches: a command of the pages that is gone or prints something else, a flag that is gone, and a
// scenario file that is not valid.
func TestCommands(t *testing.T) {
	t.Parallel()
	dir := build(t)
	t.Run("flags", func(t *testing.T) { testFlags(t, dir) })
	t.Run("runs", func(t *testing.T) { testRuns(t, dir) })
	t.Run("scenarios", func(t *testing.T) { testScenarios(t, dir) })
}

var (
	stressCall = regexp.MustCompile("(?:^|[ `(/])((?:queue-)?stress) ([a-z]+)([^`#|;\n]*)")
	longFlag   = regexp.MustCompile(`--([a-z]+)`)
)

func testFlags(t *testing.T, dir string) {
	help := map[string]string{}
	for _, page := range append(pages(t), "CI/README.md", "CONTRIBUTING.md") {
		for _, call := range stressCall.FindAllStringSubmatch(read(t, page), -1) {
			command := "bin/" + call[1] + " " + call[2] + " --help"
			if _, ok := help[command]; !ok {
				help[command], _ = sh(dir, command)
			}
			if !strings.Contains(help[command], "stress "+call[2]) {
				if call[3] = strings.TrimSpace(call[3]); strings.HasPrefix(call[3], "--") {
					t.Errorf("%s: there is no command %q", page, call[1]+" "+call[2])
				}
				continue // prose
			}
			for _, flag := range longFlag.FindAllStringSubmatch(call[3], -1) {
				if !regexp.MustCompile(`--` + flag[1] + `\b`).MatchString(help[command]) {
					t.Errorf("%s: %s %s has no flag --%s", page, call[1], call[2], flag[1])
				}
			}
		}
	}
	if len(help) < 10 {
		t.Errorf("the pages call %d commands, want 10 at least", len(help))
	}
}

func testRuns(t *testing.T, dir string) {
	var output string
	ran := 0
	for _, b := range blocks(t) {
		switch {
		case b.kind == "runs":
			want, err := strconv.Atoi(strings.TrimPrefix(b.argument, "exit "))
			if err != nil {
				t.Fatalf("%s:%d: want <!-- runs: exit N -->", b.page, b.line)
			}
			output = ""
			for line := range strings.Lines(b.text) {
				out, code := sh(dir, line)
				if code != want {
					t.Errorf("%s:%d: %s: exit code %d, want %d\n%s", b.page, b.line, line, code, want, out)
				}
				output += out
			}
		case b.kind == "prints":
			if b.argument != "" {
				output, _ = sh(dir, b.argument)
			}
			if ran++; !shows(output, b.text) {
				t.Errorf("%s:%d shows\n%s\nthe command prints\n%s", b.page, b.line, b.text, output)
			}
		}
	}
	if ran < 4 {
		t.Errorf("the pages show the output of %d commands, want 4 at least", ran)
	}
}

func testScenarios(t *testing.T, dir string) {
	files := 0
	for _, b := range blocks(t) {
		if b.language != "yaml" {
			continue
		}
		if b.kind != "validate" {
			t.Errorf("%s:%d: a scenario file without <!-- validate -->", b.page, b.line)
			continue
		}
		files++
		if err := os.WriteFile(filepath.Join(dir, "page.yaml"), []byte(b.text), 0o600); err != nil {
			t.Fatal(err)
		}
		if out, code := sh(dir, "bin/stress validate --quiet page.yaml"); code != 0 || strings.Contains(out, "warning") {
			t.Errorf("%s:%d: exit code %d\n%s", b.page, b.line, code, out)
		}
	}
	if files < 2 {
		t.Errorf("the pages have %d scenario files, want 2 at least", files)
	}
}

// Catches: a plan for $CHAOS_PLAN that a page shows and a service refuses.
func TestPlans(t *testing.T) {
	shown := regexp.MustCompile(`CHAOS_PLAN='([^']*)'`)
	ttl := plan.Word{Key: "ttl", Set: func(_ int, value string) error { _, err := time.ParseDuration(value); return err }}
	plans := 0
	for _, page := range pages(t) {
		for _, m := range shown.FindAllStringSubmatch(read(t, page), -1) {
			plans++
			if p, err := plan.Parse(page, m[1], ttl); err != nil || len(p.Faults) == 0 {
				t.Errorf("%s: %s: %d faults, %v", page, m[1], len(p.Faults), err)
			}
		}
	}
	if plans == 0 {
		t.Error("no page shows a plan for $CHAOS_PLAN")
	}
}

// pointIn matches what looks like a hook point of sleep or pool, in backquotes.
var pointIn = regexp.MustCompile("`((?:sleep|pool)/[a-z0-9-]+)`")

// Catches: a document that names a hook point by an old name.
func TestDocsNamePointsThatExist(t *testing.T) {
	var points []string
	for _, p := range chaos.Points() {
		points = append(points, p.Name)
	}
	for _, name := range append(append(pages(t), "CHANGELOG.md"), protocolDocuments...) {
		for _, m := range pointIn.FindAllStringSubmatch(read(t, name), -1) {
			if !slices.Contains(points, m[1]) && !slices.Contains([]string{"pool/burst", "pool/poolprom"}, m[1]) {
				t.Errorf("%s names the point %s, which does not exist", name, m[1])
			}
		}
	}
}

// protocolDocuments describe the steps of sleep and pool.
var protocolDocuments = []string{"sleep/README.md", "sleep/VARIANTS.md", "pool/README.md", "docs/sleep-checks.md"}

// TestProtocolDocumentsNameEveryPoint: a reader of the code finds every point in a document.
func TestProtocolDocumentsNameEveryPoint(t *testing.T) {
	var text strings.Builder
	for _, name := range protocolDocuments {
		text.WriteString(read(t, name))
	}
	for _, p := range chaos.Points() {
		room, _, _ := strings.Cut(p.Name, "/")
		if (room == "sleep" || room == "pool") && !strings.Contains(text.String(), "`"+p.Name+"`") {
			t.Errorf("no document of %v names %s", protocolDocuments, p.Name)
		}
	}
}
