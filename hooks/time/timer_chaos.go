//go:build chaos

package time

import "time"

// Timer is [time.Timer] with points where it races with its owner. C is the
// standard timer's channel itself: nothing of ours stands between the runtime,
// which sends, and the receiver.
type Timer struct {
	C <-chan Time

	timer *time.Timer
	call  *call // of AfterFunc; nil if the timer has a channel
}

// NewTimer is [time.NewTimer], then passes time/timer-new.
func NewTimer(d Duration) *Timer {
	timer := time.NewTimer(d)
	timerNew.At()
	return &Timer{C: timer.C, timer: timer}
}

// After is [time.After], then passes time/after.
func After(d Duration) <-chan Time {
	c := time.After(d)
	after.At()
	return c
}

// AfterFunc is [time.AfterFunc], then passes time/timer-func. The run of f is a
// task, child of the goroutine that armed the timer, and passes time/timer-fire
// before f begins. A timer that is stopped leaves a task that never starts.
func AfterFunc(d Duration, f func()) *Timer {
	c := &call{f: f}
	c.arm()
	t := &Timer{timer: time.AfterFunc(d, c.fire), call: c}
	timerFunc.At()
	return t
}

// Stop passes time/timer-stop, then stops the timer and reports whether it was
// running. It panics if the timer was not made by this package, as the standard
// one does.
func (t *Timer) Stop() bool {
	if t.timer == nil {
		panic("time: Stop called on uninitialized Timer")
	}
	timerStop.At()
	return t.timer.Stop()
}

// Reset passes time/timer-reset, then lets the timer run for d and reports
// whether it was running. It panics if the timer was not made by this package, as
// the standard one does.
func (t *Timer) Reset(d Duration) bool {
	if t.timer == nil {
		panic("time: Reset called on uninitialized Timer")
	}
	timerReset.At()
	if t.call != nil {
		t.call.arm()
	}
	return t.timer.Reset(d)
}
