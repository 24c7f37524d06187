package example

import (
	"context"
	"sync"
	"sync/atomic"
	"testing"

	"go.opentelemetry.io/otel/sdk/trace"
)

type exporter struct{ exporting, overlap atomic.Bool }

func (e *exporter) Shutdown(context.Context) error { return nil }
func (e *exporter) ExportSpans(context.Context, []trace.ReadOnlySpan) error {
	e.overlap.CompareAndSwap(false, e.exporting.Swap(true))
	e.exporting.Store(false)
	return nil
}

// Exports do not overlap, as the documentation of ExportSpans says.
func TestExport(t *testing.T) {
	e, wg := new(exporter), new(sync.WaitGroup)
	tracer := trace.NewTracerProvider(trace.WithSyncer(e)).Tracer("a")
	wg.Go(func() { _, s := tracer.Start(t.Context(), "b"); s.End() })
	wg.Go(func() { _, s := tracer.Start(t.Context(), "b"); s.End() })
	if wg.Wait(); e.overlap.Load() {
		t.Fatal("exports overlap")
	}
}
