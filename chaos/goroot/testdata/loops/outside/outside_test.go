// Package outside has a loop that ends by what a goroutine of TestMain reads from another process.
package outside

import (
	"os"
	"os/exec"
	"sync"
	"sync/atomic"
	"testing"
)

var done atomic.Bool

func TestMain(m *testing.M) {
	child := exec.Command("sh", "-c", "sleep 2; echo")
	out, err := child.StdoutPipe()
	if err != nil {
		panic(err)
	}
	if err := child.Start(); err != nil {
		panic(err)
	}
	go func() {
		out.Read(make([]byte, 1))
		done.Store(true)
	}()
	os.Exit(m.Run())
}

func TestUntilRead(*testing.T) {
	var mu sync.Mutex
	for !done.Load() {
		mu.Lock()
		mu.Unlock()
	}
}
