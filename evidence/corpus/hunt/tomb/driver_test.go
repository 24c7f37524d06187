package example

import (
	"errors"
	"testing"

	"gopkg.in/tomb.v2"
)

// A tracked goroutine starts another one while the tomb is killed; two goroutines wait.
func TestGoBesideKill(t *testing.T) {
	var tm tomb.Tomb
	tm.Go(func() error {
		tm.Go(func() error { <-tm.Dying(); return tomb.ErrDying })
		return nil
	})
	killed := errors.New("killed")
	go tm.Kill(killed)
	done := make(chan error)
	for range 2 {
		go func() { done <- tm.Wait() }()
	}
	for range 2 {
		if err := <-done; err != killed {
			t.Errorf("Wait returned %v", err)
		}
	}
}
