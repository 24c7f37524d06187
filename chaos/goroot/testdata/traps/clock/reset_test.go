package clock

import (
	"testing"
	"time"
)

// A timer is set to fire at once while somebody waits for it.
func TestResetAtOnce(t *testing.T) {
	timer := time.NewTimer(time.Hour)
	timer.Stop()
	done := make(chan bool)
	go func() {
		<-timer.C
		done <- true
	}()
	go timer.Reset(0)
	<-done
}
