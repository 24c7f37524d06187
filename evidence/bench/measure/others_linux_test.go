package measure

import (
	"os"
	"os/exec"
	"testing"
	"time"
)

// Catches: another program's work that is not seen, or one's own that is taken for it. (Others may
// be at work besides: so the one must be more than the other by what the program does.)
func TestOthers(t *testing.T) {
	work := func() *exec.Cmd {
		c := exec.Command("sh", "-c", "while :; do :; done")
		if err := c.Start(); err != nil {
			t.Fatal(err)
		}
		return c
	}
	c := work()
	defer func() {
		c.Process.Kill()
		c.Wait()
	}()
	// What it works while it is watched as an other, and as one's own.
	stranger := WatchOthers(func() []int { return nil })
	own := WatchOthers(func() []int { return []int{c.Process.Pid} })
	for begin := processCPU(c.Process.Pid); processCPU(c.Process.Pid)-begin < 200*time.Millisecond; {
		time.Sleep(time.Millisecond)
	}
	if s, o := stranger.Share(), own.Share(); !(s > o) || s <= 0 || s > 1 {
		t.Errorf("others take %v with the program and %v without", s, o)
	}
	if processCPU(-1) != 0 || processCPU(os.Getpid()) > CPU()+2*tick {
		t.Errorf("this process has taken %v, and by /proc %v", CPU(), processCPU(os.Getpid()))
	}
}
