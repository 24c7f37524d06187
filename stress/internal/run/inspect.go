package run

import (
	"slices"
	"time"

	"github.com/rouse-go/rouse/internal/goroutines"
	"github.com/rouse-go/rouse/stress/subject"
)

// An inspection is what the subject of a stuck execution reports of itself.
type inspection struct {
	state     string
	diagnosis *subject.Diagnosis // nil if the subject has none
}

const (
	// defaultLookTime is how long the inspection of a stuck subject may take.
	defaultLookTime = 2 * time.Second
	// lockLooks is how often in a row, a millisecond apart, an inspection must be seen waiting for a lock
	// to be given up. Only stuck tasks can hold a lock for so long.
	lockLooks = 20
)

// inspect calls look, and gives up if look waits for a lock that a stuck task may hold.
func inspect(limit time.Duration, look func() *inspection) *inspection {
	seen, id := make(chan *inspection, 1), make(chan uint64, 1)
	go func() {
		id <- goroutines.Own().ID
		seen <- look()
	}()
	own, late, ticker := <-id, time.After(limit), time.NewTicker(time.Millisecond)
	defer ticker.Stop()
	for waits := 0; waits < lockLooks; {
		select {
		case i := <-seen:
			return i
		case <-late:
			waits = lockLooks
		case <-ticker.C:
			waits++
			if !waitsForLock(own) {
				waits = 0
			}
		}
	}
	return &inspection{state: "the subject could not be inspected: a stuck task holds a lock"}
}

// waitsForLock reports whether a goroutine waits for a Mutex or an RWMutex.
func waitsForLock(id uint64) bool {
	text, _ := goroutines.Dump()
	return slices.ContainsFunc(goroutines.Parse(text), func(g goroutines.Goroutine) bool { return g.ID == id && g.WaitsForLock() })
}
