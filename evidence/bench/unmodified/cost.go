package unmodified

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"time"

	"github.com/rouse-go/rouse/chaos/goroot/corpus"
)

const (
	// points is the number of operations in an execution of the tests of points.
	points = 200_000
	// longExecutions is the number of those executions. A worker repeats the first two and then one in 64, so
	// a few would measure repetitions.
	longExecutions = 128
)

// Cost prints the cost of executions and points in the module testdata/cost of package goroot.
func Cost(ctx context.Context, tool corpus.Tool, source, folder string, executions int, out io.Writer) error {
	module := filepath.Join(source, "chaos/goroot/testdata/cost")
	run := func(test, strategy string, executions int) (*corpus.Result, error) {
		r, err := tool.Test(ctx, module, filepath.Join(folder, "recordings", "cost"), nil, "--quiet", "--seed", "1", "--procs", "1", "--clock", "lazy",
			"--run", "^"+test+"$", "--strategy", strategy, "--executions", strconv.Itoa(executions))
		if err != nil {
			return nil, err
		}
		if len(r.Tests) != 1 || r.Tests[0].Status != "ok" {
			return nil, fmt.Errorf("%s: %+v %q", test, r.Tests, r.Broken)
		}
		return &r.Tests[0], nil
	}
	for _, strategy := range []string{"random", "pct(3)", "portfolio"} {
		r, err := run("TestMutexes", strategy, executions)
		if err != nil {
			return err
		}
		fmt.Fprintf(out, "8 goroutines, 10 mutex operations each, %s: %.0f executions/s of %d steps\n", strategy, float64(r.Executions)/r.Seconds, r.Steps/r.Executions)
	}
	for _, row := range []struct{ what, test, strategy string }{
		{"one goroutine", "TestOneGoroutine", "random"},
		{"two goroutines, a switch at few points", "TestTwoGoroutines", "pct(3)"},
		{"two goroutines, a switch at every second point", "TestTwoGoroutines", "random"},
	} {
		r, err := run(row.test, row.strategy, longExecutions)
		if err != nil {
			return err
		}
		fmt.Fprintf(out, "%s: %.1f ns a point\n", row.what, r.Seconds*1e9/float64(r.Executions*points))
	}
	return nil
}

// Scale prints what a step takes where that many goroutines, and more and more, lock and unlock one mutex, and the most
// memory that one long execution takes. Each figure is of about as many steps as given.
func Scale(ctx context.Context, tool corpus.Tool, source, folder string, steps int, out io.Writer) error {
	module := filepath.Join(source, "chaos/goroot/testdata/cost")
	run := func(test, strategy string, size, executions int) (*corpus.Result, int64, error) {
		done, stop := make(chan []int64), make(chan struct{})
		go func() { done <- watch(module, stop) }()
		r, err := tool.Test(ctx, module, filepath.Join(folder, "recordings", "cost"), []string{"COST_SIZE=" + strconv.Itoa(size)}, "--quiet",
			"--seed", "1", "--procs", "1", "--max-steps", strconv.Itoa(1<<30), "--run", "^"+test+"$", "--strategy", strategy, "--executions", strconv.Itoa(executions))
		close(stop)
		samples := <-done
		if err != nil {
			return nil, 0, err
		}
		if len(r.Tests) != 1 || r.Tests[0].Status != "ok" {
			return nil, 0, fmt.Errorf("%s: %+v %q", test, r.Tests, r.Broken)
		}
		most := int64(0)
		for _, n := range samples {
			most = max(most, n)
		}
		return &r.Tests[0], most, nil
	}
	const stepsEach = 25 // of a goroutine, about
	for _, strategy := range []string{"random", "pct(3)", "pos", "surw", "urw"} {
		few := 0.0
		for _, n := range []int{8, 64, 512, 4096} {
			r, _, err := run("TestCrowd", strategy, n, max(steps/(stepsEach*n), 2))
			if err != nil {
				return err
			}
			step := r.Seconds * 1e9 / float64(r.Steps)
			if few == 0 {
				few = step
			}
			fmt.Fprintf(out, "%s, %d goroutines: %.0f ns a step, %.2f times that of 8, in %d executions\n", strategy, n, step, step/few, r.Executions)
		}
	}
	for _, long := range []struct {
		what, test string
		size       int
	}{
		{"100,000 goroutines", "TestCrowd", 100_000},
		{"two goroutines with a million operations each", "TestLong", 500_000},
		{"two goroutines with four million operations each", "TestLong", 2_000_000},
	} {
		r, most, err := run(long.test, "random", long.size, 1)
		if err != nil {
			return err
		}
		fmt.Fprintf(out, "%s, one execution of %d steps: %.1f s, %d MB\n", long.what, r.Steps, r.Seconds, most>>20)
	}
	return nil
}

// Memory runs many executions that each leave goroutines behind in one process, and prints the memory
// of the worker meanwhile. It fails if the late half takes much more than the early one.
func Memory(ctx context.Context, tool corpus.Tool, source, folder string, executions int, out io.Writer) error {
	done := make(chan []int64)
	stop := make(chan struct{})
	module := filepath.Join(source, "chaos/goroot/testdata/cost")
	go func() { done <- watch(module, stop) }()
	r, err := tool.Test(ctx, module, filepath.Join(folder, "recordings", "cost"), nil,
		"--quiet", "--seed", "1", "--procs", "1", "--run", "^TestLeftBehind$", "--executions", strconv.Itoa(executions))
	close(stop)
	samples := <-done
	if err != nil {
		return err
	}
	if len(r.Tests) != 1 || r.Tests[0].Status != "ok" {
		return fmt.Errorf("TestLeftBehind: %+v %q", r.Tests, r.Broken)
	}
	if len(samples) < 8 {
		return errors.New("too short to measure the memory of the worker")
	}
	early, late := samples[len(samples)/8], samples[len(samples)-2]
	fmt.Fprintf(out, "%d executions that leave 3 goroutines each, in one process: %d MB after an eighth, %d MB at the end\n", r.Tests[0].Executions, early>>20, late>>20)
	if late > early*3/2+16<<20 {
		return fmt.Errorf("the memory of the worker has grown from %d to %d bytes", early, late)
	}
	return nil
}

// watch samples the resident memory of the largest worker of a module until it is stopped.
func watch(module string, stop <-chan struct{}) (samples []int64) {
	ticker := time.NewTicker(200 * time.Millisecond)
	defer ticker.Stop()
	for {
		select {
		case <-stop:
			return samples
		case <-ticker.C:
			if n := workers(module); n > 0 {
				samples = append(samples, n)
			}
		}
	}
}

// workers returns the resident memory of the largest test binary that runs in a module's folder.
func workers(module string) (most int64) {
	dirs, _ := filepath.Glob("/proc/[0-9]*")
	for _, dir := range dirs {
		exe, _ := os.Readlink(filepath.Join(dir, "exe"))
		if at, err := os.Readlink(filepath.Join(dir, "cwd")); err != nil || at != module || filepath.Base(exe) == "stress" {
			continue
		}
		text, err := os.ReadFile(filepath.Join(dir, "statm"))
		if fields := strings.Fields(string(text)); err == nil && len(fields) > 1 {
			pages, _ := strconv.ParseInt(fields[1], 10, 64)
			most = max(most, pages*int64(os.Getpagesize()))
		}
	}
	return most
}
