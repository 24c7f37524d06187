//go:build chaos

package sync

import (
	"sync"
	"unsafe"

	"github.com/rouse-go/rouse/hooks"
	"github.com/rouse-go/rouse/internal/seam"
)

// WaitGroup is [sync.WaitGroup] with points around counting and waiting.
type WaitGroup sync.WaitGroup

// Add passes sync/waitgroup-add, then adds delta.
func (wg *WaitGroup) Add(delta int) {
	wg.count(waitgroupAdd, delta)
	(*sync.WaitGroup)(wg).Add(delta)
	seam.Published()
}

// Done passes sync/waitgroup-done, then takes one off the count.
func (wg *WaitGroup) Done() {
	wg.count(waitgroupDone, -1)
	(*sync.WaitGroup)(wg).Done()
	seam.Published()
}

// count passes p and reports the change to the controller.
func (wg *WaitGroup) count(p *seam.Point, delta int) {
	p.At()
	if c := seam.Controlled(); c != nil {
		c.Count(p, unsafe.Pointer(wg), delta)
	}
}

// Wait passes sync/waitgroup-wait, waits until the count is zero, and passes
// sync/waitgroup-waited.
func (wg *WaitGroup) Wait() {
	waitgroupWait.At()
	if c := seam.Controlled(); c == nil || c.WaitZero(waitgroupWait, unsafe.Pointer(wg)) {
		(*sync.WaitGroup)(wg).Wait()
	}
	waitgroupWaited.At()
}

// Go calls f in a goroutine of its own, a task of the engine's, and counts it:
// it passes sync/waitgroup-add and, with the task counted, sync/waitgroup-go;
// the task passes sync/waitgroup-done when f has returned.
//
// It does not call the standard Go, which would start the goroutine out of the
// engine's sight and count it off when the task has ended for the engine.
func (wg *WaitGroup) Go(f func()) {
	wg.Add(1)
	waitgroupGo.At()
	go hooks.Task(func() {
		defer func() {
			// As the standard Go does since 1.26: a panic of f is not counted off, or
			// Wait could return, and main exit, before the panic is reported.
			if v := recover(); v != nil {
				panic(v)
			}
			wg.Done()
		}()
		f()
	})()
}
