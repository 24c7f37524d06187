//go:build chaos

package time

import (
	"time"
	"unsafe"

	"github.com/rouse-go/rouse/internal/seam"
)

// Timer is [time.Timer] with points where it races with its owner. C is the
// standard timer's channel itself: there is nothing of ours between the runtime,
// which sends, and the receiver.
type Timer struct {
	C <-chan Time

	timer *time.Timer // nil if it runs in a controller's time
	call  *call       // of AfterFunc; nil if the timer has a channel

	control *seam.Control // in whose time it runs
}

// NewTimer is [time.NewTimer], then passes time/timer-new.
func NewTimer(d Duration) *Timer {
	if control := seam.Controlled(); control != nil {
		c, fire := virtual(control)
		t := &Timer{C: c, control: control}
		control.Arm(timerNew, unsafe.Pointer(t), int64(d), 0, fire, false)
		timerNew.At()
		return t
	}
	timer := time.NewTimer(d)
	timerNew.At()
	return &Timer{C: timer.C, timer: timer}
}

// After is [time.After], then passes time/after.
func After(d Duration) <-chan Time {
	if control := seam.Controlled(); control != nil {
		c, fire := virtual(control)
		control.Arm(after, unsafe.Pointer(&Timer{C: c}), int64(d), 0, fire, false)
		after.At()
		return c
	}
	c := time.After(d)
	after.At()
	return c
}

// AfterFunc is [time.AfterFunc], then passes time/timer-func. The run of f is a
// task, child of the goroutine that armed the timer, and passes time/timer-fire
// before f begins. A timer that is stopped leaves a task that never starts.
func AfterFunc(d Duration, f func()) *Timer {
	if control := seam.Controlled(); control != nil {
		t := &Timer{call: &call{f: f}, control: control}
		control.Arm(timerFunc, unsafe.Pointer(t), int64(d), 0, t.call.run, true)
		timerFunc.At()
		return t
	}
	c := &call{f: f}
	c.arm()
	t := &Timer{timer: time.AfterFunc(d, c.fire), call: c}
	timerFunc.At()
	return t
}

// running reports whether the caller is a task of the controller in whose time the timer
// runs. For others the timer does not exist: it is part of an execution.
func (t *Timer) running() bool { return seam.Controlled() == t.control }

// Stop passes time/timer-stop, then stops the timer and reports whether it was
// running. It panics if the timer was not made by this package, as the standard
// one does.
func (t *Timer) Stop() bool {
	if t.timer == nil && t.control == nil {
		panic("time: Stop called on uninitialized Timer")
	}
	timerStop.At()
	if t.control != nil {
		was := t.running() && t.control.Disarm(timerStop, unsafe.Pointer(t))
		return empty(t.C) || was
	}
	return t.timer.Stop()
}

// Reset passes time/timer-reset, then lets the timer run for d and reports
// whether it was running. It panics if the timer was not made by this package, as
// the standard one does.
func (t *Timer) Reset(d Duration) bool {
	if t.timer == nil && t.control == nil {
		panic("time: Reset called on uninitialized Timer")
	}
	timerReset.At()
	if t.control != nil {
		was := t.running() && t.control.Arm(timerReset, unsafe.Pointer(t), int64(d), 0, nil, t.call != nil)
		return empty(t.C) || was
	}
	if t.call != nil {
		t.call.arm()
	}
	return t.timer.Reset(d)
}
