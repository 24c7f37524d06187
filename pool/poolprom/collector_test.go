package poolprom_test

import (
	"context"
	"fmt"
	"runtime"
	"strings"
	"sync"
	"testing"

	"github.com/prometheus/client_golang/prometheus"
	"github.com/prometheus/client_golang/prometheus/testutil"
	"go.uber.org/goleak"

	"github.com/rouse-go/rouse/pool"
	"github.com/rouse-go/rouse/pool/poolprom"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

func newPool(t testing.TB, workers int, name string) *pool.Pool {
	t.Helper()
	p, err := pool.New(workers, pool.WithName(name))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := p.Close(context.Background()); err != nil {
			t.Error(err)
		}
	})
	return p
}

// asleep waits until all workers sleep, and have published what they have done.
func asleep(p *pool.Pool) {
	for p.Counters().Sleeping < p.Workers() {
		runtime.Gosched()
	}
}

// Catches: a metric that Prometheus refuses, or finds badly named, one that shows
// another's figure, and one that is not there.
func TestCollector(t *testing.T) {
	a, b := newPool(t, 2, "a"), newPool(t, 1, "b")
	err := a.Run(context.Background(), func(w *pool.Worker) error {
		w.Join(func(*pool.Worker) {}, func(*pool.Worker) {})
		w.Blocking(func() {})
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	asleep(a)
	asleep(b)
	c := poolprom.NewCollector(a, b)
	problems, err := testutil.CollectAndLint(c)
	if err != nil || len(problems) > 0 {
		t.Errorf("%v %v", problems, err)
	}
	want := `
# HELP rouse_pool_injected_jobs_total Jobs from outside that workers have taken.
# TYPE rouse_pool_injected_jobs_total counter
rouse_pool_injected_jobs_total{pool="a"} 1
rouse_pool_injected_jobs_total{pool="b"} 0
# HELP rouse_pool_joins_total Joins.
# TYPE rouse_pool_joins_total counter
rouse_pool_joins_total{pool="a"} 1
rouse_pool_joins_total{pool="b"} 0
# HELP rouse_pool_spares_total Times that a spare worker was set to work.
# TYPE rouse_pool_spares_total counter
rouse_pool_spares_total{pool="a"} 1
rouse_pool_spares_total{pool="b"} 0
# HELP rouse_pool_sleeping_workers Workers that sleep.
# TYPE rouse_pool_sleeping_workers gauge
rouse_pool_sleeping_workers{pool="a"} 2
rouse_pool_sleeping_workers{pool="b"} 1
# HELP rouse_pool_references Jobs that keep the pool alive, and one for the pool until it is closed.
# TYPE rouse_pool_references gauge
rouse_pool_references{pool="a"} 1
rouse_pool_references{pool="b"} 1
`
	if err := testutil.CollectAndCompare(c, strings.NewReader(want), "rouse_pool_injected_jobs_total", "rouse_pool_joins_total",
		"rouse_pool_spares_total", "rouse_pool_sleeping_workers", "rouse_pool_references"); err != nil {
		t.Error(err)
	}
	if n := testutil.CollectAndCount(c); n != 2*19 {
		t.Errorf("%d metrics of two pools", n)
	}
}

// Catches: a collection that races with the workers, or waits for them.
func TestCollectWhileRunning(t *testing.T) {
	p := newPool(t, 2, "busy")
	c := poolprom.NewCollector(p)
	var all sync.WaitGroup
	all.Go(func() {
		for range 50 {
			if n := testutil.CollectAndCount(c); n != 19 {
				t.Errorf("%d metrics", n)
			}
		}
	})
	for range 50 {
		if err := p.Run(context.Background(), func(w *pool.Worker) error {
			w.Blocking(runtime.Gosched)
			pool.For(w, 100, func(*pool.Worker, int) {}, pool.MaxLen(1))
			return nil
		}); err != nil {
			t.Error(err)
		}
	}
	all.Wait()
}

func ExampleNewCollector() {
	p, err := pool.New(2, pool.WithName("images"))
	if err != nil {
		panic(err)
	}
	defer p.Close(context.Background())

	registry := prometheus.NewRegistry()
	registry.MustRegister(poolprom.NewCollector(p))

	families, err := registry.Gather()
	if err != nil {
		panic(err)
	}
	for _, f := range families {
		if f.GetName() == "rouse_pool_workers" {
			fmt.Println(f.GetName(), f.GetMetric()[0].GetLabel()[0].GetValue(), f.GetMetric()[0].GetGauge().GetValue())
		}
	}
	// Output: rouse_pool_workers images 2
}
