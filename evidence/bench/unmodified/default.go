package unmodified

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"text/tabwriter"
	"time"

	"github.com/rouse-go/rouse/chaos/goroot/corpus"
)

// A DefaultRow compares a run of stress test by default with one that has 1,000 executions of each test.
type DefaultRow struct {
	Name  string
	fetch func(ctx context.Context, folder string) (dir string, err error)
	args  []string
}

// Defaults lists what runs by default are measured with: whole modules, nothing left out, packages of the standard
// library, and a module of ordinary tests.
var Defaults = []DefaultRow{
	whole("golang-lru", "github.com/hashicorp/golang-lru/v2", "v2.0.7"),
	whole("gobreaker", "github.com/sony/gobreaker/v2", "v2.4.0"),
	whole("puddle", "github.com/jackc/puddle/v2", "v2.2.3"),
	whole("ristretto", "github.com/dgraph-io/ristretto/v2", "v2.4.2"),
	whole("bigcache", "github.com/allegro/bigcache/v3", "v3.1.0"),
	whole("ants", "github.com/panjf2000/ants/v2", "v2.12.1"),
	whole("keyfunc", "github.com/MicahParks/keyfunc/v3", "v3.9.2"),
	whole("go-generics-cache", "github.com/Code-Hex/go-generics-cache", "v1.5.1"),
	{"std", ordinary, []string{"container/...", "sync", "context"}},
	{"ordinary", ordinary, []string{"./..."}},
}

func whole(name, module, version string) DefaultRow {
	s := Suite{Name: name, Module: module, Version: version, Packages: []string{"./..."}}
	return DefaultRow{name, s.Fetch, s.Packages}
}

// Measure runs stress test twice, and prints a line. limit bounds each run; the tests have been built before.
func (r *DefaultRow) Measure(ctx context.Context, tool corpus.Tool, folder string, limit time.Duration, out io.Writer) error {
	dir, err := r.fetch(ctx, folder)
	if err != nil {
		return err
	}
	run := func(name string, args ...string) (*corpus.Results, float64, error) {
		limited, cancel := context.WithTimeout(ctx, limit)
		defer cancel()
		began := time.Now()
		args = append(append([]string{"--seed", "1", "--quiet"}, args...), r.args...)
		results, err := tool.Test(limited, dir, filepath.Join(folder, "recordings", r.Name, name), []string{modFlags, noWorkspace}, args...)
		if limited.Err() != nil && ctx.Err() == nil {
			results, err = &corpus.Results{}, nil
		}
		return results, time.Since(began).Seconds(), err
	}
	run("built", "--run", "^$") //nolint:errcheck // no test is selected, which is an error
	byDefault, seconds, err := run("default")
	if err != nil {
		return err
	}
	all, allSeconds, err := run("all", "--executions", "1000")
	if err != nil {
		return err
	}
	of := func(x *corpus.Results) string {
		if len(x.Tests) == 0 {
			return "not done"
		}
		failed, executions := 0, 0
		for i := range x.Tests {
			executions += x.Tests[i].Executions
			if x.Tests[i].Failed() {
				failed++
			}
		}
		return fmt.Sprintf("%d executions, %d failed", executions, failed)
	}
	w := tabwriter.NewWriter(out, 0, 0, 2, ' ', 0)
	fmt.Fprintf(w, "%s\t%d tests\t%.0f s, %s\t1,000 each: %.0f s, %s\n", r.Name, len(byDefault.Tests), seconds, of(byDefault), allSeconds, of(all))
	return w.Flush()
}

// Tests of the module that ordinary makes, in each of its packages: sequential, small and heavy ones.
const (
	ordinaryPackages                             = 10
	ordinarySequential, ordinarySmall, heavyOnes = 24, 5, 1
)

// ordinary makes a module of 300 tests as most modules have them.
func ordinary(_ context.Context, folder string) (dir string, err error) {
	dir = filepath.Join(folder, "ordinary")
	files := map[string]string{"go.mod": "module example.com/ordinary\n\ngo 1.25\n"}
	for p := range ordinaryPackages {
		var text strings.Builder
		fmt.Fprintf(&text, "package p%d\n\nimport (\n\t\"encoding/json\"\n\t\"slices\"\n\t\"strings\"\n\t\"sync\"\n\t\"testing\"\n)\n", p)
		for i := range ordinarySequential {
			fmt.Fprintf(&text, sequentialTests[i%len(sequentialTests)], i, i)
		}
		for i := range ordinarySmall {
			fmt.Fprintf(&text, smallTests[i%len(smallTests)], i, i%3+2)
		}
		for i := range heavyOnes {
			fmt.Fprintf(&text, heavyTest, i, 8)
		}
		files[fmt.Sprintf("p%d/p_test.go", p)] = text.String()
	}
	for name, text := range files {
		path := filepath.Join(dir, name)
		err = errors.Join(err, os.MkdirAll(filepath.Dir(path), 0o755), os.WriteFile(path, []byte(text), 0o644))
	}
	return dir, err
}

var sequentialTests = []string{`
func TestJoin%d(t *testing.T) {
	if got := strings.Join(strings.Split("a,b,c", ","), "-"); got != "a-b-c" {
		t.Errorf("%%s %d", got)
	}
}
`, `
func TestJSON%d(t *testing.T) {
	var got []int
	text, err := json.Marshal([]int{1, 2, 3})
	if err == nil {
		err = json.Unmarshal(text, &got)
	}
	if err != nil || len(got) != 3 {
		t.Error(%d, err)
	}
}
`, `
func TestSort%d(t *testing.T) {
	for _, n := range []int{0, 1, 2, 100, 1000} {
		t.Run("", func(t *testing.T) {
			all := make([]int, n)
			for i := range all {
				all[i] = (i*7919 + %d) %% 1009
			}
			slices.Sort(all)
			if !slices.IsSorted(all) {
				t.Error(all)
			}
		})
	}
}
`}

var smallTests = []string{`
func TestResult%d(t *testing.T) {
	results := make(chan int)
	for i := range %d {
		go func() { results <- i }()
	}
	if <-results+<-results < 1 {
		t.Error("lost")
	}
}
`, `
func TestCount%d(t *testing.T) {
	var mu sync.Mutex
	var wg sync.WaitGroup
	n := 0
	for range %d {
		wg.Go(func() {
			mu.Lock()
			defer mu.Unlock()
			n++
		})
	}
	if wg.Wait(); n < 2 {
		t.Error(n)
	}
}
`}

const heavyTest = `
func TestMany%d(t *testing.T) {
	var mu sync.Mutex
	var wg sync.WaitGroup
	all := map[int]int{}
	for i := range %d {
		wg.Go(func() {
			for range 100 {
				mu.Lock()
				all[i]++
				mu.Unlock()
			}
		})
	}
	wg.Wait()
	for i := range all {
		if all[i] != 100 {
			t.Error(i, all[i])
		}
	}
}
`
