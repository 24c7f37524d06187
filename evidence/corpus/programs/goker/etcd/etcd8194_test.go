package etcd

import "testing"

// revokesPerRound limits how many leases are revoked in a round; a test sets it.
var revokesPerRound = 1000

// A lessor revokes expired leases in its own goroutine.
type lessor struct {
	expired     chan int
	stop, ended chan struct{}
	revoked     int
}

func newLessor() *lessor {
	l := &lessor{expired: make(chan int, 2), stop: make(chan struct{}), ended: make(chan struct{})}
	go l.loop()
	return l
}

func (l *lessor) loop() {
	defer close(l.ended)
	for {
		select {
		case n := <-l.expired:
			l.revoked += min(n, revokesPerRound)
		case <-l.stop:
			return
		}
	}
}

func (l *lessor) close() {
	close(l.stop)
	<-l.ended
}

// etcd8194 is two tests, one after the other. The second one sets the limit, and the lessor of the
// first one is not always closed by then.
func etcd8194(closeFirst bool) {
	first := newLessor()
	first.expired <- 3
	if closeFirst {
		first.close()
	}
	revokesPerRound = 10
	second := newLessor()
	second.expired <- 20
	second.close()
	if !closeFirst {
		first.close()
	}
	revokesPerRound = 1000
}

func TestEtcd8194(*testing.T) { etcd8194(false) }

func TestEtcd8194Fixed(*testing.T) { etcd8194(true) }
