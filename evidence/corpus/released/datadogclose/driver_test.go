package example

import (
	"testing"
	"time"

	"github.com/DataDog/datadog-go/statsd"
)

type discard struct{}

func (discard) Write(p []byte) (int, error)         { return len(p), nil }
func (discard) SetWriteTimeout(time.Duration) error { return nil }
func (discard) Close() error                        { return nil }

// Close ends, also while the client flushes.
func TestClose(t *testing.T) {
	c, err := statsd.NewWithWriter(discard{}, statsd.WithoutTelemetry())
	if err != nil {
		t.Fatal(err)
	}
	if err := c.Count("a", 1, nil, 1); err != nil {
		t.Fatal(err)
	}
	time.Sleep(150 * time.Millisecond) // it flushes every 100 ms
	if err := c.Close(); err != nil {
		t.Fatal(err)
	}
}
