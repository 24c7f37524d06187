package pool

import (
	"sync/atomic" // not the drop-in: what watches is no step of what is watched

	"github.com/rouse-go/rouse/sleep"
)

// Sleepers watches which workers of a pool sleep, and when they come back.
type Sleepers [8]sleeper

// A sleeper is one worker.
type sleeper struct {
	inside atomic.Bool  // in NoWorkFound
	asleep atomic.Bool  // there, and its final check has found nothing (F7)
	back   atomic.Int64 // so often has it come back from there
}

// watchedSleep wraps a pool's strategy.
type watchedSleep struct {
	sleep.Strategy
	*Sleepers
}

// NewPool is New for a pool that is watched.
func (s *Sleepers) NewPool(workers int, options ...Option) (*Pool, error) {
	p, err := newPool(workers, options)
	if err == nil {
		s.watch(p)
		err = p.start()
	}
	return p, err
}

// WatchUnstarted is for a pool that is made already, and not started.
func (s *Sleepers) WatchUnstarted(w []*Worker) { s.watch(w[0].pool) }

func (s *Sleepers) watch(p *Pool) { p.sleep.Strategy = &watchedSleep{p.sleep.Strategy, s} }

// NoWorkFound implements sleep.Strategy.
func (s *watchedSleep) NoWorkFound(idle *sleep.IdleState, latch *sleep.CoreLatch, jobs sleep.Injected) {
	i := &s.Sleepers[jobs.(*finalCheck).index]
	i.inside.Store(true)
	s.Strategy.NoWorkFound(idle, latch, lastLook{jobs, i})
	i.asleep.Store(false)
	i.inside.Store(false)
	i.back.Add(1)
}

// lastLook notes that it found nothing.
type lastLook struct {
	sleep.Injected
	*sleeper
}

func (l lastLook) HasInjectedJob() bool {
	found := l.Injected.HasInjectedJob()
	l.asleep.Store(!found)
	return found
}

// SleepersAt are the workers that were asleep at some time.
type SleepersAt [8]int64 // so often they had come back, and once more; 0: awake

// Now returns which workers sleep. It takes time: there is a step of p's in it, before which others
// may run.
func (s *Sleepers) Now(p *Pool) (now SleepersAt) {
	p.Counters()
	for i := range s {
		if s[i].asleep.Load() {
			now[i] = s[i].back.Load() + 1
		}
	}
	return now
}

// Still returns how many of them, at least, sleep yet, and have not been notified: as many as
// the counters say, less those that sleep since, or have not made their final check.
func (s *Sleepers) Still(p *Pool, then SleepersAt) int {
	if still, _ := s.since(then); still == 0 {
		return 0 // without a step
	}
	n := p.Counters().Sleeping // the step; the rest is of the same moment
	still, others := s.since(then)
	return min(still, n-others)
}

// since returns how many of those that slept then have not come back, and how many others may be
// counted as sleeping.
func (s *Sleepers) since(then SleepersAt) (still, others int) {
	for i := range s {
		switch {
		case s[i].asleep.Load() && then[i] == s[i].back.Load()+1:
			still++
		case s[i].inside.Load():
			others++
		}
	}
	return still, others
}
