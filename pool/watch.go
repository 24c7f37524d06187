package pool

import (
	"context"
	"log/slog"
	"runtime/pprof"
	"runtime/trace"
	"strconv"
)

// label marks the calling goroutine, a worker's, for profiles: with the labels "pool", the pool's
// name, and "worker", the index.
func (w *Worker) label() {
	pprof.SetGoroutineLabels(pprof.WithLabels(context.Background(),
		pprof.Labels("pool", w.pool.name, "worker", strconv.Itoa(w.index))))
}

// region begins a region of runtime/trace around a job that came out of a queue, and returns what
// ends it. It is called only while tracing is on.
func region() (end func()) {
	return trace.StartRegion(context.Background(), "pool.job").End
}

// LogValue is the state as a group, for package slog: a group for each worker in it.
func (s State) LogValue() slog.Value {
	attrs := []slog.Attr{
		slog.Int("inactive", s.Counters.Inactive),
		slog.Int("sleeping", s.Counters.Sleeping),
		slog.Uint64("jec", s.Counters.JEC),
		slog.Int("references", s.References),
		slog.Int("injected", s.Injected),
		slog.Bool("closing", s.Closing),
	}
	for _, w := range s.Workers {
		attrs = append(attrs, slog.Any(w.Name, w))
	}
	return slog.GroupValue(attrs...)
}

// LogValue is the worker's state as a group, for package slog.
func (w WorkerState) LogValue() slog.Value {
	does := "runs a job"
	switch {
	case w.Ended:
		does = "has ended"
	case w.Private:
		does = "sleeps privately"
	case w.Asleep:
		does = "sleeps"
	case w.WaitsFor != "":
		does = "looks for work"
	}
	attrs := []slog.Attr{slog.String("does", does)}
	if w.WaitsFor != "" && !w.Ended {
		attrs = append(attrs, slog.String("waits_for", w.WaitsFor), slog.String("latch", w.Latch.String()))
	}
	if w.Notified {
		attrs = append(attrs, slog.Bool("notified", true))
	}
	return slog.GroupValue(append(attrs, slog.Int("jobs", w.Jobs), slog.Int("broadcasts", w.Broadcasts))...)
}

// LogValue is the counters as a group, for package slog.
func (s Stats) LogValue() slog.Value {
	return slog.GroupValue(
		slog.Uint64("jobs", s.Jobs),
		slog.Uint64("joins", s.Joins),
		slog.Uint64("pushed", s.Pushed),
		slog.Uint64("steals", s.Steals),
		slog.Uint64("failed_steals", s.FailedSteals),
		slog.Uint64("searches", s.Searches),
		slog.Uint64("injected", s.Injected),
		slog.Uint64("sleeps", s.Sleeps),
		slog.Uint64("wakes", s.Wakes),
		slog.Uint64("spurious", s.Spurious),
		slog.Uint64("spares", s.Spares),
		slog.Duration("parked", s.Parked),
	)
}
