package timers

import (
	"sync/atomic"
	"time"
)

// A Sampler looks at a value from time to time.
type Sampler struct {
	Samples atomic.Int64
	ticker  *time.Ticker
	quit    chan struct{}
	done    chan struct{}
}

func NewSampler(every time.Duration, sample func()) *Sampler {
	s := &Sampler{ticker: time.NewTicker(every), quit: make(chan struct{}), done: make(chan struct{})}
	go func() {
		defer close(s.done)
		for {
			select {
			case <-s.ticker.C:
				sample()
				s.Samples.Add(1)
			case <-s.quit:
				return
			}
		}
	}()
	return s
}
