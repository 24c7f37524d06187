package outside

import (
	"os"
	"os/signal"
	"runtime"
	"syscall"
	"testing"
)

// An execution does not end while a task is within package signal, whose locks are those of the process.
func TestStop(t *testing.T) {
	for range 4 {
		c := make(chan os.Signal, 1)
		signal.Notify(c, syscall.SIGUSR2)
		go signal.Stop(c)
	}
	runtime.Gosched()
}
