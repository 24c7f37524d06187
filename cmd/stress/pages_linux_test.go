package main

import (
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// pageData is what a page holds of an execution.
type pageData struct {
	Minimal struct {
		Lanes []struct{ Title string }
		Steps []struct {
			Text, File string
			Line       int
		}
		Marks   []struct{ Kind string }
		Objects map[int]string
	}
	Sources map[string]map[int]string
}

var dataOfPage = regexp.MustCompile(`(?s)<script type="application/json" id="data">(.*?)</script>`)

// readPage reads a page, which must hold an execution with these texts.
func readPage(t *testing.T, file string, want ...string) (d pageData) {
	t.Helper()
	text := readFile(t, file)
	found := dataOfPage.FindStringSubmatch(text)
	if found == nil {
		t.Fatalf("%s: it has no data", file)
	}
	if err := json.Unmarshal([]byte(found[1]), &d); err != nil || len(d.Minimal.Steps) < 2 || len(d.Minimal.Lanes) < 2 || len(d.Sources) == 0 {
		t.Errorf("%s: %v, %d steps, %d lanes, sources of %d files", file, err, len(d.Minimal.Steps), len(d.Minimal.Lanes), len(d.Sources))
	}
	for _, w := range want {
		if !strings.Contains(text, w) {
			t.Errorf("%s has no %q", file, w)
		}
	}
	return d
}

// recordScenario runs a scenario under control that fails, and returns its shortest recording.
func recordScenario(t *testing.T, dir string) string {
	t.Helper()
	write(t, dir, "long.yaml", longFile)
	in(t, dir, chaosBinary, "run", "--file", "long.yaml", "--executions", "2000", "--seed", "5", "--quiet", "dropped-rarely").want(t, 1)
	files, _ := filepath.Glob(filepath.Join(dir, defaultOut, "*.min.rouse"))
	if len(files) != 1 {
		t.Fatalf("recorded %q", files)
	}
	return filepath.Join(defaultOut, filepath.Base(files[0]))
}

// TestPageOfAScenario: stress explain --html of a controlled scenario shows the steps, the sources, the names of
// objects, and what the subject says.
func TestPageOfAScenario(t *testing.T) {
	dir := t.TempDir()
	recording := recordScenario(t, dir)
	got := in(t, dir, chaosBinary, "explain", recording, "--html", "page.html")
	got.want(t, 0)
	if !strings.Contains(got.out, "\npage: page.html\n") {
		t.Errorf("it prints %s", got.out)
	}
	d := readPage(t, filepath.Join(dir, "page.html"), "<h1>scenario dropped-rarely</h1>", "lost-wakeup", "dropped by the plan at sleep/wake-notify", "replay "+recording)
	if len(d.Minimal.Marks) == 0 || len(d.Minimal.Objects) == 0 {
		t.Errorf("%d marks, %d names", len(d.Minimal.Marks), len(d.Minimal.Objects))
	}
}

// TestPageOfANativeRecording: it has none, and the error says what to do; nothing is written.
func TestPageOfANativeRecording(t *testing.T) {
	dir := t.TempDir()
	write(t, dir, "scenarios.yaml", scenarioFile)
	in(t, dir, chaosBinary, "run", "--file", "scenarios.yaml", "--executions", "1", "--search", "0", "--quiet", "fails").want(t, 1)
	files, _ := filepath.Glob(filepath.Join(dir, defaultOut, "*.rouse"))
	if len(files) != 1 {
		t.Fatalf("recorded %q", files)
	}
	before := tree(t, dir)
	got := in(t, dir, chaosBinary, "explain", files[0], "--html", "page.html")
	got.want(t, 2)
	want := "stress: --html page.html: " + files[0] + " is a native recording, and a page shows controlled executions only; to search for the failure under control: "
	if !strings.HasPrefix(got.errs, want) || !strings.HasSuffix(got.errs, " shrink "+files[0]+"\n") || len(tree(t, dir)) != len(before) {
		t.Errorf("got %s and %q", got.errs, tree(t, dir))
	}
}

const exploreTest = `package q

import (
	"testing"

	"github.com/rouse-go/rouse/chaos"
	"github.com/rouse-go/rouse/hooks"
	"github.com/rouse-go/rouse/hooks/atomic"
	"github.com/rouse-go/rouse/hooks/sync"
)

func TestClose(t *testing.T) {
	chaos.Explore(t, func(c *chaos.C) {
		var mu sync.Mutex
		var closed atomic.Bool
		filled := sync.NewCond(&mu)
		go hooks.Task(func() { closed.Store(true); filled.Signal() })()
		mu.Lock()
		if !closed.Load() {
			filled.Wait()
		}
		mu.Unlock()
	})
}
`

// exploreModule writes a module with a test that calls chaos.Explore, and returns its recording.
func exploreModule(t *testing.T) (dir, recording string) {
	t.Helper()
	t.Setenv("GOFLAGS", "")
	root, err := filepath.Abs("../..")
	if err != nil {
		t.Fatal(err)
	}
	dir = t.TempDir()
	write(t, dir, "go.mod", strings.Replace(readFile(t, filepath.Join(root, "go.mod")), "module github.com/rouse-go/rouse", "module example.com/q", 1)+
		"\nrequire github.com/rouse-go/rouse v0.0.0\nreplace github.com/rouse-go/rouse => "+root+"\n")
	write(t, dir, "go.sum", readFile(t, filepath.Join(root, "go.sum")))
	write(t, dir, "q_test.go", exploreTest)
	cmd := exec.Command("go", "test", "-tags", "chaos", ".")
	cmd.Dir = dir
	out, err := cmd.CombinedOutput()
	files, _ := filepath.Glob(filepath.Join(dir, "testdata", "chaos", "TestClose", "*.rouse"))
	if err == nil || len(files) != 1 {
		t.Fatalf("recorded %q: %v\n%s", files, err, out)
	}
	return dir, files[0]
}

// TestPageOfExplore: stress explain --html of a recording of chaos.Explore runs the test, from whatever folder. If
// that passes, or does not compile, there is no page.
func TestPageOfExplore(t *testing.T) {
	dir, recording := exploreModule(t)
	elsewhere := t.TempDir()
	got := in(t, elsewhere, plainBinary, "explain", recording, "--html", "page.html")
	got.want(t, 0)
	d := readPage(t, filepath.Join(elsewhere, "page.html"), "<h1>example.com/q TestClose</h1>", "no task can continue",
		"go test -tags chaos -run &#39;^TestClose$&#39; example.com/q -chaos.replay="+recording)
	names := map[string]bool{}
	for _, name := range d.Minimal.Objects {
		names[name] = true
	}
	if !names["closed"] || !names["filled"] || !names["mu"] {
		t.Errorf("the objects are %v", d.Minimal.Objects)
	}
	for text, want := range map[string]struct {
		code         int
		out, message string
	}{
		strings.Replace(exploreTest, "mu.Lock()", "mu.Lock(); closed.Store(true)", 1): {1, "no page: the recorded failure does not happen any more\n", ""},
		strings.Replace(exploreTest, "mu.Lock()", "mu.Lock(1)", 1):                    {2, "", "go test has not repeated it:\n"},
		strings.Replace(exploreTest, "TestClose", "TestOpen", 1):                      {2, "", "go test has not repeated it:\n"},
	} {
		write(t, dir, "q_test.go", text)
		os.Remove(filepath.Join(elsewhere, "page.html"))
		got := in(t, dir, chaosBinary, "explain", recording, "--html", filepath.Join(elsewhere, "page.html"))
		got.want(t, want.code)
		if !strings.HasSuffix(got.out, want.out) || !strings.Contains(got.errs, want.message) || len(tree(t, elsewhere)) != 1 {
			t.Errorf("got %s%s and %q, want %q", got.out, got.errs, tree(t, elsewhere), want)
		}
	}
}

// TestPageRefused: a file that cannot be written is refused before anything runs.
func TestPageRefused(t *testing.T) {
	dir := t.TempDir()
	recording := recordScenario(t, dir)
	for name, want := range map[string]string{
		"none/page.html": "stress: --html none/page.html: no such file or directory\n",
		".":              "stress: --html .: a folder, want a file\n",
	} {
		if got := in(t, dir, chaosBinary, "explain", recording, "--html", name); got.code != 2 || got.out != "" || got.errs != want {
			t.Errorf("%s: exit code %d\n%s%s", name, got.code, got.out, got.errs)
		}
	}
}
