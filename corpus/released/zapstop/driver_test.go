package example

import (
	"io"
	"testing"
	"time"

	"go.uber.org/zap/zapcore"
)

// Stop ends the goroutine that flushes every thirty seconds.
func TestStop(t *testing.T) {
	w := &zapcore.BufferedWriteSyncer{WS: zapcore.AddSync(io.Discard)}
	if _, err := w.Write([]byte("a")); err != nil {
		t.Fatal(err)
	}
	time.Sleep(30 * time.Second)
	if err := w.Stop(); err != nil {
		t.Fatal(err)
	}
}
