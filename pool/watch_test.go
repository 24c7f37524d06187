package pool_test

import (
	"bytes"
	"encoding/json"
	"log/slog"
	"runtime/pprof"
	"runtime/trace"
	"strings"
	"testing"

	"github.com/rouse-go/rouse/pool"
)

// Catches: a worker whose goroutine a profile does not name.
func TestProfileLabels(t *testing.T) {
	p := newPool(t, 2, pool.WithName("labelled"))
	quiet(p)
	var b bytes.Buffer
	if err := pprof.Lookup("goroutine").WriteTo(&b, 1); err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{`"pool":"labelled"`, `"worker":"0"`, `"worker":"1"`} {
		if !strings.Contains(b.String(), want) {
			t.Errorf("no %s in the profile:\n%s", want, b.String())
		}
	}
}

// Catches: jobs that a trace does not show; a region that costs something while
// no trace runs.
func TestTraceRegions(t *testing.T) {
	p := newPool(t, 1)
	if trace.IsEnabled() {
		t.Fatal("another trace runs")
	}
	var b bytes.Buffer
	if err := trace.Start(&b); err != nil {
		t.Fatal(err)
	}
	works(t, p)
	trace.Stop()
	if !strings.Contains(b.String(), "pool.job") {
		t.Errorf("no region in a trace of %d bytes", b.Len())
	}
	run(t, p, func(w *pool.Worker) {
		f := func(*pool.Worker) {}
		w.Go(f)
		w.YieldLocal()
		// A job costs its task, and nothing more for running it.
		if n := testing.AllocsPerRun(100, func() { w.Go(f); w.YieldLocal() }); n > 1 {
			t.Errorf("%v allocations for a job", n)
		}
	})
}

// Catches: a state or counters that a log does not show as groups.
func TestLogValues(t *testing.T) {
	p := newPool(t, 1, pool.WithName("logged"))
	works(t, p)
	var b bytes.Buffer
	log := slog.New(slog.NewJSONHandler(&b, nil))
	log.Info("state", "state", quiet(p), "stats", p.Stats())
	var got struct {
		State map[string]any
		Stats map[string]float64
	}
	if err := json.Unmarshal(b.Bytes(), &got); err != nil {
		t.Fatal(err)
	}
	worker, _ := got.State["worker 0 of logged"].(map[string]any)
	if got.State["sleeping"] != 1.0 || got.State["references"] != 1.0 || worker["does"] != "sleeps" || worker["latch"] != "SLEEPING" || worker["jobs"] != 0.0 {
		t.Errorf("%s", b.String())
	}
	if got.Stats["jobs"] < 1 || got.Stats["sleeps"] < 1 || got.Stats["parked"] <= 0 {
		t.Errorf("%s", b.String())
	}
	run(t, p, func(w *pool.Worker) {
		w.Isolated(func(w *pool.Worker) {
			b.Reset()
			log.Info("busy", "state", p.State())
			if !strings.Contains(b.String(), `"does":"runs a job"`) {
				t.Error(b.String())
			}
		})
	})
}
