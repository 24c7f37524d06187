package cs

import (
	"sync/atomic"
	"testing"
)

// A driver counts the requests in progress, and one for itself. The one that brings the count to zero
// allows it to stop.
type driver struct {
	pending                   atomic.Int32
	stopping, idle, isStopped atomic.Bool
}

func (d *driver) leave() {
	if d.pending.Add(-1) == 0 {
		d.idle.Store(true)
	}
}

func (d *driver) stop() {
	d.stopping.Store(true)
	d.leave()
	if d.idle.Load() {
		d.isStopped.Store(true)
	}
}

// enter checks whether the driver stops, and then counts the request: it may stop in between.
func (d *driver) enter() bool {
	if d.stopping.Load() {
		return false
	}
	d.pending.Add(1)
	return true
}

// enterFixed counts the request first.
func (d *driver) enterFixed() bool {
	d.pending.Add(1)
	if d.stopping.Load() {
		d.leave()
		return false
	}
	return true
}

func bluetooth(t *testing.T, enter func(*driver) bool) {
	d := new(driver)
	d.pending.Store(1)
	together(d.stop, func() {
		if !enter(d) {
			return
		}
		if d.isStopped.Load() {
			t.Error("a request is in progress, and the driver has stopped")
		}
		d.leave()
	})
}

func TestBluetoothDriver(t *testing.T)      { bluetooth(t, (*driver).enter) }
func TestBluetoothDriverFixed(t *testing.T) { bluetooth(t, (*driver).enterFixed) }
