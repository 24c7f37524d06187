package serving

import "testing"

// A prober logs to the test that it belongs to, in a goroutine which its run does not wait for.
type prober struct{ logged chan struct{} }

func (p *prober) run(t *testing.T) {
	go func() {
		defer close(p.logged)
		t.Log("probing")
	}()
}

// serving4908 runs a prober in a subtest, which may end before the log.
func serving4908(t *testing.T, wait bool) {
	p := &prober{logged: make(chan struct{})}
	t.Run("probe", func(t *testing.T) {
		p.run(t)
		if wait {
			<-p.logged
		}
	})
	<-p.logged
}

func TestServing4908(t *testing.T) { serving4908(t, false) }

func TestServing4908Fixed(t *testing.T) { serving4908(t, true) }
