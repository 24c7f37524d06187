package suite

import (
	"context"
	"errors"
	"fmt"
	"os"
	"slices"
	"sync/atomic"
	"testing"
	"time"

	"github.com/rouse-go/rouse/stress/internal/report"
)

// packages are options for that many fake packages, a, b and so on.
func packages(t *testing.T, script string, n int) Options {
	t.Helper()
	o := fakes(t, script)
	dir := folder(t, &o)
	o.listed = func(context.Context) (all []*listed, err error) {
		for i := range n {
			all = append(all, &listed{ImportPath: string(rune('a' + i)), Dir: dir, TestGoFiles: []string{"fake_test.go"}})
		}
		return all, nil
	}
	return o
}

// await waits for something that must happen, or ends the build with an error.
func await(ctx context.Context, what <-chan struct{}) error {
	select {
	case <-what:
		return nil
	case <-ctx.Done():
		return context.Cause(ctx)
	case <-time.After(time.Minute):
		return errors.New("it did not happen")
	}
}

// TestBuildsOverlap: the first package is built alone, the others several at a time, the last of them
// while tests of the first run; and the report is in order.
func TestBuildsOverlap(t *testing.T) {
	o := packages(t, "TestA", 4)
	var now atomic.Int32
	tested, third, last := make(chan struct{}), make(chan struct{}), make(chan struct{})
	o.build = func(ctx context.Context, p *listed) (string, string, error) {
		if n := now.Add(1); n > 2 || p.ImportPath == "a" && n > 1 {
			return "", "", fmt.Errorf("%d builds at a time, and of %s", n, p.ImportPath)
		}
		defer now.Add(-1)
		var err error
		switch p.ImportPath {
		case "b":
			err = await(ctx, last)
		case "c":
			close(third)
		case "d":
			if err = await(ctx, tested); err == nil {
				close(last)
			}
		}
		return os.Args[0], "", err
	}
	var got []string
	o.Observers = report.Observers{report.EachTest(func(r report.TestReport) {
		if got = append(got, r.Package); len(got) == 1 {
			close(tested)
		}
	})}
	setProcessors(t, 2)
	_, err := Run(t.Context(), o)
	if want := []string{"a", "b", "c", "d"}; err != nil || !slices.Equal(got, want) {
		t.Errorf("%q, %v", got, err)
	}
	if err := await(t.Context(), third); err != nil {
		t.Error("c was not built")
	}
}

// TestOneProcessBuildsOneAtATime: --procs bounds the builds.
func TestOneProcessBuildsOneAtATime(t *testing.T) {
	o := packages(t, "TestA", 3)
	o.Procs = 1
	var now, most atomic.Int32
	o.build = func(context.Context, *listed) (string, string, error) {
		most.Store(max(most.Load(), now.Add(1)))
		defer now.Add(-1)
		return os.Args[0], "", nil
	}
	if r, err := Run(t.Context(), o); err != nil || len(r.Tests) != 3 || most.Load() != 1 {
		t.Errorf("%d builds at a time, %v, %+v", most.Load(), err, r)
	}
}

// TestBuildFails: an error of a build ends the others.
func TestBuildFails(t *testing.T) {
	o := packages(t, "TestA", 3)
	planned, begun := errors.New("no space"), make(chan struct{})
	o.build = func(ctx context.Context, p *listed) (string, string, error) {
		switch p.ImportPath {
		case "b":
			close(begun)
			<-ctx.Done()
			return "", "", context.Cause(ctx)
		case "c":
			if err := await(ctx, begun); err != nil {
				return "", "", err
			}
			return "", "", planned
		}
		return os.Args[0], "", nil
	}
	setProcessors(t, 2)
	if r, err := Run(t.Context(), o); !errors.Is(err, planned) || r.Trouble != "no space" {
		t.Errorf("%v, %+v", err, r)
	}
}

// setProcessors is how many builds run at a time at most.
func setProcessors(t *testing.T, n int) {
	was := processors
	processors = n
	t.Cleanup(func() { processors = was })
}
