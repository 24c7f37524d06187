package example

import (
	"context"
	"testing"
	"time"

	"go.opentelemetry.io/otel/sdk/trace"
)

type slow struct{}

func (slow) Shutdown(context.Context) error { return nil }
func (slow) ExportSpans(context.Context, []trace.ReadOnlySpan) error {
	time.Sleep(time.Second)
	return nil
}

// A flush whose context ends leaves no goroutine behind.
func TestFlush(t *testing.T) {
	p := trace.NewBatchSpanProcessor(slow{})
	_, span := trace.NewTracerProvider(trace.WithSpanProcessor(p)).Tracer("a").Start(context.Background(), "b")
	span.End()
	ctx, cancel := context.WithTimeout(context.Background(), time.Millisecond)
	defer cancel()
	_ = p.ForceFlush(ctx)
	_ = p.Shutdown(context.Background())
}
