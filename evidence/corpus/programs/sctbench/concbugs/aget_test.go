package concbugs

import (
	"sync"
	"sync/atomic"
	"testing"
)

// A download has parts, each by a goroutine, and counts what all have written.
type download struct {
	offsets [3]atomic.Int64
	mu      sync.Mutex // of written
	written int64
}

func (d *download) part(n int, chunks int64) {
	for range chunks {
		d.offsets[n].Add(1)
		d.mu.Lock()
		d.written++
		d.mu.Unlock()
	}
}

// partFixed changes both together.
func (d *download) partFixed(n int, chunks int64) {
	for range chunks {
		d.mu.Lock()
		d.offsets[n].Add(1)
		d.written++
		d.mu.Unlock()
	}
}

// save returns what an interrupted download keeps, in order to go on later: the offset of each part,
// whose sum is what was written.
func (d *download) save() (offsets, written int64) {
	for n := range d.offsets {
		offsets += d.offsets[n].Load()
	}
	d.mu.Lock()
	defer d.mu.Unlock()
	return offsets, d.written
}

func (d *download) saveFixed() (offsets, written int64) {
	d.mu.Lock()
	defer d.mu.Unlock()
	for n := range d.offsets {
		offsets += d.offsets[n].Load()
	}
	return offsets, d.written
}

func aget(t *testing.T, part func(*download, int, int64), save func(*download) (int64, int64)) {
	d := new(download)
	var wg sync.WaitGroup
	for n := range d.offsets {
		wg.Go(func() { part(d, n, 2) })
	}
	if offsets, written := save(d); offsets != written {
		t.Errorf("saved offsets of %d, and %d as written", offsets, written)
	}
	wg.Wait()
}

func TestAget(t *testing.T)      { aget(t, (*download).part, (*download).save) }
func TestAgetFixed(t *testing.T) { aget(t, (*download).partFixed, (*download).saveFixed) }
