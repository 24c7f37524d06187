// Package stuck has tests that wait for ever beside goroutines that go on and that can reach what the test
// waits for, those named TestFound..., and tests like them that end.
package stuck

import (
	"sync"
	"sync/atomic"
	"testing"
	"time"
)

type server struct {
	a, b, c sync.Mutex
	rw, rw2 sync.RWMutex
	cond    *sync.Cond
	work    sync.WaitGroup
	ch      chan int
	beats   atomic.Int64
	stop    atomic.Bool
	stopped chan struct{}
	n       int
}

func ticks(s *server, d time.Duration) {
	t := time.NewTicker(d)
	defer t.Stop()
	for {
		select {
		case <-t.C:
			s.beats.Add(1)
		case <-s.stopped:
			return
		}
	}
}
func ticker(s *server)     { ticks(s, time.Second) }
func slowTicker(s *server) { ticks(s, 10*time.Second) }
func sleeper(s *server) {
	for !s.stop.Load() {
		time.Sleep(time.Second)
		s.beats.Add(1)
	}
}
func timer(s *server) {
	if !s.stop.Load() {
		s.beats.Add(1)
		time.AfterFunc(time.Second, func() { timer(s) })
	}
}
func spinner(s *server) {
	for !s.stop.Load() {
		s.beats.Add(1)
	}
}
func reader(s *server) {
	for !s.stop.Load() {
	}
}
func nothing(s *server) {}

func run(way func(*server), tasks ...func(s *server)) {
	s := &server{ch: make(chan int), stopped: make(chan struct{})}
	s.cond = sync.NewCond(&s.c)
	go way(s)
	var wg sync.WaitGroup
	for _, task := range tasks {
		wg.Go(func() { task(s) })
	}
	wg.Wait()
	s.stop.Store(true)
	close(s.stopped)
}

func lockAB(s *server)    { s.a.Lock(); s.b.Lock(); s.n++; s.b.Unlock(); s.a.Unlock() }
func lockBA(s *server)    { s.b.Lock(); s.a.Lock(); s.n++; s.a.Unlock(); s.b.Unlock() }
func lockBC(s *server)    { s.b.Lock(); s.c.Lock(); s.n++; s.c.Unlock(); s.b.Unlock() }
func lockCA(s *server)    { s.c.Lock(); s.a.Lock(); s.n++; s.a.Unlock(); s.c.Unlock() }
func lockTwice(s *server) { s.a.Lock(); s.a.Lock(); s.a.Unlock(); s.a.Unlock() }
func readTwice(s *server) { s.rw.RLock(); s.rw.RLock(); s.rw.RUnlock(); s.rw.RUnlock() }
func write(s *server)     { s.rw.Lock(); s.n++; s.rw.Unlock() }
func upgrade(s *server)   { s.rw.RLock(); s.rw.Lock(); s.rw.Unlock(); s.rw.RUnlock() }
func rwAB(s *server)      { s.rw.RLock(); s.rw2.Lock(); s.rw2.Unlock(); s.rw.RUnlock() }
func rwBA(s *server)      { s.rw2.RLock(); s.rw.Lock(); s.rw.Unlock(); s.rw2.RUnlock() }
func ended(s *server)     { s.a.Lock(); s.n++ }
func lockA(s *server)     { s.a.Lock(); s.n++; s.a.Unlock() }
func lockSend(s *server)  { s.a.Lock(); s.ch <- 1; s.a.Unlock() }
func lockRecv(s *server)  { s.a.Lock(); s.a.Unlock(); <-s.ch }
func lockWait(s *server) {
	s.a.Lock()
	s.work.Add(1)
	go func() { s.a.Lock(); s.a.Unlock(); s.work.Done() }()
	s.work.Wait()
	s.a.Unlock()
}
func condWait(s *server) {
	s.a.Lock()
	s.c.Lock()
	if s.n == 0 {
		s.cond.Wait()
	}
	s.c.Unlock()
	s.a.Unlock()
}
func condSignal(s *server) {
	s.a.Lock()
	s.c.Lock()
	s.n++
	s.cond.Signal()
	s.c.Unlock()
	s.a.Unlock()
}

func TestFoundCycleTicker(*testing.T)      { run(ticker, lockAB, lockBA) }
func TestFoundCycleSleeper(*testing.T)     { run(sleeper, lockAB, lockBA) }
func TestFoundCycleTimer(*testing.T)       { run(timer, lockAB, lockBA) }
func TestFoundCycleSpinner(*testing.T)     { run(spinner, lockAB, lockBA) }
func TestFoundCycleReader(*testing.T)      { run(reader, lockAB, lockBA) }
func TestFoundThreeTicker(*testing.T)      { run(ticker, lockAB, lockBC, lockCA) }
func TestFoundSelfTimer(*testing.T)        { run(timer, lockTwice) }
func TestFoundReadTwiceTicker(*testing.T)  { run(ticker, readTwice, write) }
func TestFoundUpgradeSleeper(*testing.T)   { run(sleeper, upgrade) }
func TestFoundUpgradesTicker(*testing.T)   { run(ticker, upgrade, upgrade) }
func TestFoundRWTimer(*testing.T)          { run(timer, rwAB, rwBA) }
func TestFoundEndedTicker(*testing.T)      { run(ticker, ended, lockA) }
func TestFoundLockChanTicker(*testing.T)   { run(ticker, lockSend, lockRecv) }
func TestFoundLockChanTimer(*testing.T)    { run(timer, lockSend, lockRecv) }
func TestFoundLockGroupSleeper(*testing.T) { run(sleeper, lockWait) }
func TestFoundLockCondTicker(*testing.T)   { run(ticker, condWait, condSignal) }

// A lock handed over: locked by one, unlocked by another.
func TestHanded(*testing.T) {
	run(ticker, func(s *server) {
		s.a.Lock()
		go func() { time.Sleep(20 * time.Minute); s.a.Unlock() }()
		s.a.Lock()
		s.a.Unlock()
	})
}

func watchdog(way func(*server), d time.Duration) {
	run(way, func(s *server) {
		s.a.Lock()
		time.AfterFunc(d, s.a.Unlock)
		s.a.Lock()
		s.a.Unlock()
	})
}
func TestWatchdogTicker(*testing.T)  { watchdog(ticker, time.Minute) }
func TestWatchdogSpinner(*testing.T) { watchdog(spinner, time.Minute) }
func TestWatchdogReader(*testing.T)  { watchdog(reader, time.Minute) }
func TestWatchdogHour(*testing.T)    { watchdog(nothing, time.Hour) }

// What unlocks sleeps twice, beside one that leaves it no turn.
func TestTwiceSpinner(*testing.T) {
	run(spinner, func(s *server) {
		s.a.Lock()
		go func() { time.Sleep(4 * time.Minute); time.Sleep(4 * time.Minute); s.a.Unlock() }()
		s.a.Lock()
		s.a.Unlock()
	})
}

func TestSemaphore(*testing.T) {
	run(ticker, func(s *server) {
		for range 5 {
			s.a.Lock()
			go func() { time.Sleep(time.Minute); s.a.Unlock() }()
		}
	})
}

func TestTryLock(*testing.T) {
	f := func(a, b *sync.Mutex) {
		for {
			a.Lock()
			if b.TryLock() {
				b.Unlock()
				a.Unlock()
				return
			}
			a.Unlock()
			time.Sleep(time.Second)
		}
	}
	run(ticker, func(s *server) { f(&s.a, &s.b) }, func(s *server) { f(&s.b, &s.a) })
}

func TestSleepsAnHour(*testing.T) { run(slowTicker, func(s *server) { time.Sleep(time.Hour) }) }
func TestTwoDays(*testing.T) {
	run(nothing, func(s *server) {
		time.Sleep(48 * time.Hour)
		for range 20000 {
			s.beats.Add(1)
		}
	})
}
func TestCountdown(*testing.T) {
	run(slowTicker, func(s *server) {
		tk := time.NewTicker(10 * time.Second)
		defer tk.Stop()
		for range 360 {
			<-tk.C
		}
	})
}
func TestWorksUnderLocks(*testing.T) {
	run(ticker, func(s *server) {
		for range 2_000 {
			s.a.Lock()
			s.n++
			s.a.Unlock()
		}
	}, func(s *server) {
		for range 2_000 {
			s.a.Lock()
			s.n++
			s.a.Unlock()
		}
	})
}
func TestHoldsLong(*testing.T) {
	run(ticker, func(s *server) { s.a.Lock(); time.Sleep(15 * time.Minute); s.a.Unlock() }, lockA, lockAB)
}
func TestChannelLater(*testing.T) {
	run(ticker, func(s *server) { <-s.ch }, func(s *server) { time.Sleep(30 * time.Minute); s.ch <- 1 })
}
