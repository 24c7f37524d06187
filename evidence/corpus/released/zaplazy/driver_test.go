package example

import (
	"io"
	"sync"
	"testing"

	"go.uber.org/zap"
	"go.uber.org/zap/zapcore"
)

// A logger may be used by two goroutines.
func TestLazy(t *testing.T) {
	encoder := zapcore.NewJSONEncoder(zap.NewProductionEncoderConfig())
	core := zapcore.NewCore(encoder, zapcore.AddSync(io.Discard), zap.InfoLevel)
	log := zap.New(core).WithLazy(zap.Int("a", 1))
	var wg sync.WaitGroup
	for range 2 {
		wg.Go(func() { log.Info("b") })
	}
	wg.Wait()
}
