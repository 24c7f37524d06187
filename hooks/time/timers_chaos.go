//go:build chaos

package time

import (
	"sync/atomic"
	"time"
	"unsafe"

	"github.com/rouse-go/rouse/hooks"
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

// Ticker is [time.Ticker] with points where it races with its owner. C is the
// standard field.
type Ticker struct {
	C <-chan Time

	ticker *time.Ticker // nil if it runs in a controller's time

	control *seam.Control // in whose time it runs
}

// running is like the method of [Timer].
func (t *Ticker) running() bool { return seam.Controlled() == t.control }

// NewTicker is [time.NewTicker], then passes time/ticker-new.
func NewTicker(d Duration) *Ticker {
	if control := seam.Controlled(); control != nil && d > 0 {
		c, fire := virtual(control)
		t := &Ticker{C: c, control: control}
		control.Arm(tickerNew, unsafe.Pointer(t), int64(d), int64(d), fire, false)
		tickerNew.At()
		return t
	}
	ticker := time.NewTicker(d)
	tickerNew.At()
	return &Ticker{C: ticker.C, ticker: ticker}
}

// Tick is [time.Tick], then passes time/ticker-new.
func Tick(d Duration) <-chan Time {
	if seam.Controlled() != nil && d > 0 {
		return NewTicker(d).C
	}
	c := time.Tick(d)
	tickerNew.At()
	return c
}

// Stop passes time/ticker-stop, then turns the ticker off. On the zero Ticker it
// does nothing, as the standard one.
func (t *Ticker) Stop() {
	tickerStop.At()
	if t.control != nil {
		if t.running() {
			t.control.Disarm(tickerStop, unsafe.Pointer(t))
		}
		empty(t.C)
	} else if t.ticker != nil {
		t.ticker.Stop()
	}
}

// Reset passes time/ticker-reset, then lets the ticker tick every d from now. It
// panics where the standard one does.
func (t *Ticker) Reset(d Duration) {
	tickerReset.At()
	switch {
	case t.ticker != nil:
		t.ticker.Reset(d)
	case t.control == nil || d <= 0:
		new(time.Ticker).Reset(d) // panics
	default:
		if t.running() {
			t.control.Arm(tickerReset, unsafe.Pointer(t), int64(d), int64(d), nil, false)
		}
		empty(t.C)
	}
}

// A call is what a timer of AfterFunc runs, and runs again after each Reset, and
// even twice at once when a Reset comes after the firing. An engine's task runs
// once. So each arming makes a task, in the goroutine that arms, where the number
// of the task follows program order; and each firing takes one.
type call struct {
	f     func()
	armed atomic.Pointer[func()] // the task of the last arming; nil when taken
}

// arm makes the next firing's task. If the last one has not been taken, it never
// will be: its firing is the one that Reset is about to call off.
//
// The store is before the runtime's own release of the timer, and the runtime's
// acquire before the swap: the pointer orders an arming before a firing, as the
// runtime does. Of two firings it orders the beginnings, where neither has run
// anything yet.
func (c *call) arm() {
	task := hooks.Task(c.run)
	c.armed.Store(&task)
}

// fire runs one task. It finds none if the firing before it was so late that it
// took the task of this one's arming; then it has to make one itself.
func (c *call) fire() {
	if task := c.armed.Swap(nil); task != nil {
		(*task)()
		return
	}
	hooks.Task(c.run)()
}

func (c *call) run() {
	timerFire.At()
	c.f()
}

// A timer with a channel, under a controller, sends into a channel of its own, of
// capacity one. As since Go 1.23, no value is left in it when it is stopped or
// reset.

// virtual returns the channel, and what fires the timer.
func virtual(control *seam.Control) (c chan Time, fire func()) {
	c = make(chan Time, 1)
	return c, func() {
		select {
		case c <- epoch.Add(Duration(control.Now())):
			control.Changed(address(c))
		default:
		}
	}
}

// address identifies the channel.
func address(c <-chan Time) unsafe.Pointer { return *(*unsafe.Pointer)(unsafe.Pointer(&c)) }

// empty takes out what the timer has sent, and reports whether there was something.
func empty(c <-chan Time) bool {
	select {
	case <-c:
		return true
	default:
		return false
	}
}
