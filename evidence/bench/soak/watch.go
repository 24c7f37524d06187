package soak

import (
	"fmt"
	"io"
	"runtime/pprof"
	"strings"
	"sync"
	"time"
)

// A slot holds the current activity of one driver.
type slot struct {
	mu    sync.Mutex
	doing *batch
	what  string // if there is no batch
}

func (s *slot) set(b *batch, what string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.doing, s.what = b, what
}

// progress changes whenever a job of the driver's batch runs, or the driver does something else.
type progress struct {
	batch *batch
	what  string
	marks int
}

func (s *slot) progress() progress {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.doing == nil {
		return progress{what: s.what}
	}
	return progress{s.doing, s.what, s.doing.marks()}
}

func (p progress) String() string {
	if p.batch == nil {
		return p.what
	}
	first, n := p.batch.missing()
	text := fmt.Sprintf("%s, batch %d: %d of %d jobs have not run", p.batch.kind.Name, p.batch.number, n, p.batch.n)
	if n > 0 {
		text += fmt.Sprintf(": job %s", strings.Trim(strings.ReplaceAll(fmt.Sprint(first), " ", ", "), "[]"))
		if n > len(first) {
			text += ", ..."
		}
	}
	return text
}

// A watchdog looks at every driver, and counts its looks: a busy machine makes it late, not
// wrong.
type watchdog struct {
	slots []*slot
	last  []progress
	looks []int // without progress
}

// looksOfPatience is the number of looks without progress that make a hang.
const looksOfPatience = 20

func newWatchdog(slots []*slot) *watchdog {
	return &watchdog{slots: slots, last: make([]progress, len(slots)), looks: make([]int, len(slots))}
}

// look returns the drivers that hang.
func (d *watchdog) look() (hung []progress) {
	for i, s := range d.slots {
		now := s.progress()
		switch {
		case now == (progress{}): // nothing to do
			d.looks[i] = 0
		case now != d.last[i]:
			d.looks[i] = 0
		default:
			d.looks[i]++
		}
		d.last[i] = now
		if d.looks[i] >= looksOfPatience {
			hung = append(hung, now)
		}
	}
	return hung
}

// watch looks until stop is closed, or a driver hangs.
func (d *watchdog) watch(patience time.Duration, stop <-chan struct{}) (hung []progress) {
	ticker := time.NewTicker(max(patience/looksOfPatience, time.Millisecond))
	defer ticker.Stop()
	for {
		select {
		case <-stop:
			return nil
		case <-ticker.C:
		}
		if hung = d.look(); len(hung) > 0 {
			return hung
		}
	}
}

// dump writes the details that explain a hang: the state of every open pool, and all goroutines.
func (e *env) dump(to io.Writer) error {
	for _, s := range e.opened() {
		if _, err := fmt.Fprintf(to, "pool %q, given %d jobs from outside: %+v\n%s\n", s.Name(), s.injected.Load(), s.Stats(), s.State()); err != nil {
			return err
		}
	}
	return pprof.Lookup("goroutine").WriteTo(to, 2)
}
