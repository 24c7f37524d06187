package suite

import (
	"crypto/sha256"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/rouse-go/rouse/chaos/goroot/wire"
	"github.com/rouse-go/rouse/chaos/recording"
	"github.com/rouse-go/rouse/chaos/verdict"
	"github.com/rouse-go/rouse/stress/internal/report"
)

// The files of small modules. Their tests use no package that is not in them.
var (
	queueFiles = map[string]string{
		"go.mod": "module example.com/small\n\ngo 1.25\n",
		"queue/queue.go": `package queue

import "sync"

type Queue struct {
	mu     sync.Mutex
	items  []int
	pushed chan struct{}
}

func New() *Queue { return &Queue{pushed: make(chan struct{})} }

func (q *Queue) Push(x int) {
	q.mu.Lock()
	q.items = append(q.items, x)
	q.mu.Unlock()
	select {
	case q.pushed <- struct{}{}:
	default: // and nobody is notified
	}
}

func (q *Queue) Pop() int {
	for {
		q.mu.Lock()
		if len(q.items) > 0 {
			x := q.items[0]
			q.items = q.items[1:]
			q.mu.Unlock()
			return x
		}
		q.mu.Unlock()
		<-q.pushed
	}
}
`,
		"queue/queue_test.go": `package queue

import (
	"os"
	"runtime"
	"sync"
	"testing"
)

func TestOne(t *testing.T) {
	if dir, _ := os.Getwd(); os.Getenv("PWD") != dir {
		t.Fatal("not in the folder of the package")
	}
	q := New()
	q.Push(1)
	if q.Pop() != 1 {
		t.Error("lost")
	}
}

func TestTwo(t *testing.T) {
	q := New()
	var popper sync.WaitGroup
	popper.Go(func() { q.Pop() })
	q.Push(2)
	popper.Wait()
}

func TestProcs(t *testing.T) {
	if n, m := runtime.NumCPU(), runtime.GOMAXPROCS(2); n != 4 || m != n || runtime.GOMAXPROCS(0) != 2 {
		t.Error("it depends on the machine:", n, m)
	}
}

func TestSkips(t *testing.T) { t.Skip("not here") }

func TestShort(t *testing.T) {
	if testing.Short() {
		t.Skip("too long")
	}
}
`,
		"empty/empty.go":        "package empty\n",
		"broken/broken.go":      "package broken\n",
		"broken/broken_test.go": "package broken\n\nimport \"testing\"\n\nfunc TestX(t *testing.T) { undefined() }\n",
	}
	depFiles = map[string]string{
		"go.mod": "module example.com/dep\n\ngo 1.25\n",
		"dep.go": "package dep\n\nimport \"sync\"\n\nvar mu sync.Mutex\n\nfunc Add(n *int) { mu.Lock(); *n++; mu.Unlock() }\n",
	}
	userTest = `package user

import (
	"sync"
	"testing"

	"example.com/dep"
)

func TestAdd(t *testing.T) {
	n := 0
	var adders sync.WaitGroup
	for range 3 {
		adders.Go(func() { dep.Add(&n) })
	}
	if adders.Wait(); n != 3 {
		t.Errorf("%d", n)
	}
}
`
)

// write writes files below a folder.
func write(t *testing.T, dir string, files map[string]string) {
	t.Helper()
	for name, text := range files {
		path := filepath.Join(dir, filepath.FromSlash(name))
		if err := errors.Join(os.MkdirAll(filepath.Dir(path), 0o777), os.WriteFile(path, []byte(text), 0o666)); err != nil {
			t.Fatal(err)
		}
	}
}

// hashes are those of all files below a folder but recordings.
func hashes(t *testing.T, dir string) map[string]string {
	t.Helper()
	all := map[string]string{}
	err := filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() || strings.HasSuffix(path, ".rouse") {
			return err
		}
		text, err := os.ReadFile(path)
		all[path] = fmt.Sprintf("%x", sha256.Sum256(text))
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return all
}

// real are options for a module in that folder, which becomes the current one.
func real(t *testing.T, dir string, packages ...string) Options {
	t.Helper()
	t.Chdir(dir)
	t.Setenv("GOFLAGS", "")
	t.Setenv("GOWORK", "")
	t.Setenv("GOPROXY", "off")
	return Options{Packages: packages, Settings: wire.Settings{Seed: 1}, Executions: 300, Procs: 2, Command: []string{"stress"}}
}

// status returns the results of a run, each in a few words.
func status(r report.SuiteReport) (all []string) {
	for _, x := range r.Tests {
		all = append(all, strings.TrimSpace(fmt.Sprintf("%s %s %s", x.Test, x.Status, x.Verdict)))
	}
	for _, p := range r.Packages {
		first, _, _ := strings.Cut(p.Problem+p.Without, "\n")
		all = append(all, p.Package+" "+first)
	}
	return all
}

// TestModule: the tests of a real module, from the build to the recording, which repeats the failure.
func TestModule(t *testing.T) {
	dir := t.TempDir()
	write(t, dir, queueFiles)
	before := hashes(t, dir)
	o := real(t, dir, "./...")
	r, err := Run(t.Context(), o)
	if err != nil {
		t.Fatal(err)
	}
	want := []string{"TestOne ok pass", "TestTwo FAIL deadlock", "TestProcs ok pass", "TestSkips skip", "TestShort ok pass", "example.com/small/broken # example.com/small/broken [example.com/small/broken.test]",
		"example.com/small/empty no test files"}
	if got := status(r); !slices.Equal(got, want) {
		t.Fatalf("got %q, want %q\n%+v", got, want, r)
	}
	if got := r.Tests[3].Summary; got != "queue_test.go:35: not here" {
		t.Errorf("skipped for %q", got)
	}
	two := r.Tests[1]
	if !strings.HasPrefix(two.Recording, filepath.Join("queue", "testdata", "chaos", "TestTwo")) || two.File != filepath.Join("queue", "queue_test.go") || two.Line == 0 ||
		!strings.Contains(two.Report, "queue.go:") {
		t.Errorf("%+v", two)
	}
	if after := hashes(t, dir); !maps.Equal(before, after) {
		t.Errorf("the module was changed: %v, now %v", before, after)
	}
	rec, err := recording.Read(two.Recording)
	if err != nil {
		t.Fatal(err)
	}
	p, err := NewRepeater(t.Context(), Options{}, two.Recording, rec)
	if err != nil {
		t.Fatal(err)
	}
	defer p.Close()
	if x, err := p.Again(t.Context()); err != nil || !x.Exact || x.Verdict != verdict.Deadlock {
		t.Errorf("%+v, %v", x, err)
	}
	// The next run begins with the recording.
	o.Packages, o.Run, o.Build.Short = []string{"./queue"}, "TestTwo|TestShort", true
	r, err = Run(t.Context(), o)
	if got := status(r); err != nil || !slices.Equal(got, []string{"TestTwo FAIL deadlock", "TestShort skip"}) || r.Tests[0].Execution != -1 {
		t.Errorf("%q, %v, %+v", got, err, r)
	}
	o.Run, o.Native = "TestSkips", true
	r, err = Run(t.Context(), o)
	if got := status(r); err != nil || !slices.Equal(got, []string{"TestSkips skip"}) || r.Tests[0].Summary != "queue_test.go:35: not here" {
		t.Errorf("natively: %q, %v, %+v", got, err, r)
	}
}

// TestKindsOfModules: a replaced module, a vendor folder, a workspace, and the user's own -overlay are
// built as they are, and stay as they are.
func TestKindsOfModules(t *testing.T) {
	const requires = "module example.com/user\n\ngo 1.25\n\nrequire example.com/dep v0.0.0\n"
	for name, files := range map[string]map[string]string{
		"replace": {"user/go.mod": requires + "\nreplace example.com/dep => ../dep\n"},
		"vendor": {
			"user/go.mod": requires, "user/vendor/modules.txt": "# example.com/dep v0.0.0\n## explicit; go 1.25\nexample.com/dep\n",
			"user/vendor/example.com/dep/dep.go": depFiles["dep.go"],
		},
		"workspace": {"user/go.mod": "module example.com/user\n\ngo 1.25\n", "go.work": "go 1.25\n\nuse ./user\nuse ./dep\n"},
		"overlay": {
			"user/go.mod": requires + "\nreplace example.com/dep => ../dep\n", "dep/dep.go": "package dep\n\nfunc Add(n *int) { *n += 2 }\n",
			"real.go": depFiles["dep.go"],
		},
	} {
		t.Run(name, func(t *testing.T) {
			dir := t.TempDir()
			if name != "vendor" {
				write(t, filepath.Join(dir, "dep"), depFiles)
			}
			write(t, dir, files)
			write(t, dir, map[string]string{"user/user_test.go": userTest})
			o := real(t, filepath.Join(dir, "user"))
			o.Executions = 50
			if name == "overlay" {
				write(t, dir, map[string]string{"overlay.json": fmt.Sprintf(`{"Replace": {%q: %q}}`, filepath.Join(dir, "dep", "dep.go"), filepath.Join(dir, "real.go"))})
				t.Setenv("GOFLAGS", "-overlay="+filepath.Join(dir, "overlay.json"))
			}
			before := hashes(t, dir)
			r, err := Run(t.Context(), o)
			if got := status(r); err != nil || !slices.Equal(got, []string{"TestAdd ok pass"}) || r.Tests[0].Executions != 50 {
				t.Errorf("%q, %v, %+v", got, err, r)
			}
			if after := hashes(t, dir); !maps.Equal(before, after) {
				t.Errorf("the module was changed: %v, now %v", before, after)
			}
		})
	}
}

// TestBadInput: what the user can do something about is one clear error, and nothing runs.
func TestBadInput(t *testing.T) {
	dir := t.TempDir()
	write(t, dir, queueFiles)
	for packages, want := range map[string]string{
		"./none":                      "directory not found",
		"example.com/elsewhere":       "no required module provides package example.com/elsewhere",
		"./queue/queue_test.go":       "found a file, want a package such as ./queue or ./...",
		"./empty":                     "the packages have no tests",
		"./none/...":                  "pattern ./none/...: ",
		"example.com/small/none...":   "no packages: \"example.com/small/none...\" matched no packages",
		"./queue --mod=other":         "-mod=other",
		"./queue --compiler=gccgo":    "only gc has the runtime that is patched",
		"./queue --run=TestNone":      "no test is selected by -run \"TestNone\"",
		"./queue --strategy=pcd":      "no such strategy",
		"./queue --overlay=none.json": "none.json",
	} {
		t.Run(packages, func(t *testing.T) {
			words := strings.Fields(packages)
			o := real(t, dir, words[0])
			name, value, _ := strings.Cut(words[len(words)-1], "=")
			switch name {
			case words[0]:
			case "--run":
				o.Run = value
			case "--strategy":
				o.Settings.Strategy = value
			default:
				o.Build.More = []string{name[1:] + "=" + value}
			}
			_, err := Run(t.Context(), o)
			var input *InputError
			if !errors.As(err, &input) || !strings.Contains(err.Error(), want) {
				t.Errorf("got %v, want %s", err, want)
			}
		})
	}
	o := real(t, dir)
	t.Setenv("PATH", "")
	var input *InputError
	if _, err := Run(t.Context(), o); err == nil || errors.As(err, &input) || !strings.HasPrefix(err.Error(), "the go command: ") {
		t.Errorf("without the go command: %v", err)
	}
}

// TestFoldersWithoutTests: what cannot be tested is named.
func TestFoldersWithoutTests(t *testing.T) {
	dir := t.TempDir()
	write(t, dir, queueFiles)
	r, err := Run(t.Context(), real(t, dir))
	if got := status(r); err != nil || len(got) != 1 || !strings.Contains(got[0], "no Go files in "+dir) || r.Broken() != 1 {
		t.Errorf("%q, %v", got, err)
	}
}
