package gopools

import (
	"maps"
	"slices"
	"sync/atomic"
	"testing"
	"time"

	"go.uber.org/goleak"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// Catches: a Wait that returns before all jobs are done, a job that is lost or done twice,
// by either way to start it, from several goroutines at once. (The jobs take a moment, so that some
// are under way when the wait begins.)
func TestAllJobs(t *testing.T) {
	defer func(f func()) { empty = f }(empty)
	for _, kind := range Kinds() {
		var jobs atomic.Int64
		job := func() {
			if jobs.Add(1)%16 == 0 {
				time.Sleep(time.Millisecond)
			}
		}
		empty = job
		p, err := kind.New(3)
		if err != nil {
			t.Fatal(kind.Name, err)
		}
		started := make(chan struct{})
		for range 2 {
			go func() {
				p.Flood(100)
				p.Go(job)
				started <- struct{}{}
			}()
		}
		<-started
		<-started
		p.Wait()
		if n := jobs.Load(); n != 202 {
			t.Errorf("%s: %d jobs done when the wait was over, want 202", kind.Name, n)
		}
	}
}

// Catches: more jobs at a time than the bound, or one that is lost.
func TestLimited(t *testing.T) {
	const limit, jobs = 3, 100
	for _, kind := range Limited() {
		p, err := kind.New(limit)
		if err != nil {
			t.Fatal(kind.Name, err)
		}
		var now, ran atomic.Int64
		for range jobs {
			p.Go(func() {
				if n := now.Add(1); n > limit {
					t.Errorf("%s: %d jobs at a time, want %d at most", kind.Name, n, limit)
				}
				time.Sleep(10 * time.Microsecond)
				now.Add(-1)
				ran.Add(1)
			})
		}
		if p.Wait(); ran.Load() != jobs {
			t.Errorf("%s: %d of %d jobs done", kind.Name, ran.Load(), jobs)
		}
	}
}

// Catches: a library that no row compares, or a name that no contestant has.
func TestLibraries(t *testing.T) {
	var names []string
	for _, kind := range Kinds() {
		names = append(names, kind.Name)
	}
	if libraries := Libraries(); !slices.Equal(libraries, names[len(names)-len(libraries):]) {
		t.Errorf("libraries %q of %q", libraries, names)
	}
}

// Catches: a library without a version, as far as a test can see: one that is not in the map.
func TestModules(t *testing.T) {
	named := slices.Sorted(maps.Values(modules))
	want := slices.Sorted(slices.Values(append(Libraries(), "errgroup")))
	if !slices.Equal(named, want) {
		t.Errorf("modules of %q, want of %q", named, want)
	}
}
