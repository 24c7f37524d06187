package example

import (
	"io"
	"testing"
	"time"

	"go.uber.org/zap/zapcore"
)

// Stop ends the goroutine that flushes every second.
func TestStop(t *testing.T) {
	w := &zapcore.BufferedWriteSyncer{WS: zapcore.AddSync(io.Discard), FlushInterval: time.Second}
	if _, err := w.Write([]byte("a")); err != nil {
		t.Fatal(err)
	}
	time.Sleep(1500 * time.Millisecond)
	if err := w.Stop(); err != nil {
		t.Fatal(err)
	}
}
