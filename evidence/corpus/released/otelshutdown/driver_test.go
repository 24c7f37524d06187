package example

import (
	"context"
	"sync"
	"testing"

	"go.opentelemetry.io/otel/sdk/trace"
	"go.opentelemetry.io/otel/sdk/trace/tracetest"
)

// A batch processor may be flushed and shut down at the same time.
func TestFlushAndShutdown(t *testing.T) {
	p := trace.NewTracerProvider(trace.WithBatcher(tracetest.NewInMemoryExporter()))
	_, span := p.Tracer("a").Start(context.Background(), "b")
	span.End()
	var wg sync.WaitGroup
	wg.Go(func() { _ = p.ForceFlush(context.Background()) })
	wg.Go(func() { _ = p.Shutdown(context.Background()) })
	wg.Wait()
}
