package outside

import (
	"os"
	"os/signal"
	"syscall"
	"testing"
	"time"
)

// As TestChildAlarm, by the system call that newer architectures do not have.
func TestChildOldAlarm(t *testing.T) {
	c := make(chan os.Signal, 1)
	signal.Notify(c, syscall.SIGALRM)
	defer signal.Stop(c)
	if _, _, err := syscall.Syscall(syscall.SYS_ALARM, 1, 0, 0); err != 0 {
		t.Fatal(err)
	}
	select {
	case <-c:
	case <-time.After(time.Hour):
		t.Error("no signal")
	}
}
