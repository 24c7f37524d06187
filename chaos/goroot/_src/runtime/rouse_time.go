package runtime

import (
	"internal/abi"
	"internal/stringslite"
)

// A rouseTimer keeps what a timer of package time was when it was made, so that executions that began later can use
// it: a package's initialisation has made it, or TestMain, or an earlier execution. Its time is counted from the
// beginning of the execution.
type rouseTimer struct {
	id     uint64 // of the bubble whose time it follows; 0 is real time
	after  int64  // how long after it was made or reset it fires; -1: it was stopped
	period int64
	engine bool // has made it: it is real

	timer *timer
	next  *rouseTimer // in rouseAsync
}

// rouseAsync lists the timers with a channel that were made before executions, if channels do not
// know of their timers (up to Go 1.26: GODEBUG asynctimerchan=1, the default of a main module before Go 1.23).
var (
	rouseAsync       *rouseTimer
	rouseAsyncClosed bool
	rouseAsyncLock   mutex
)

// rouseCloseTimers ends the list: from now on, timers outside of executions are those of the engine
// and of goroutines in the background.
func rouseCloseTimers() {
	lock(&rouseAsyncLock)
	rouseAsyncClosed = true
	unlock(&rouseAsyncLock)
}

// rouseBeginTimers brings the timers of rouseAsync into an execution, but not those that a goroutine
// outside waits for. It is called on the root.
func rouseBeginTimers(c *RouseGroup) {
	gp := getg()
	gp.bubble = c.bubble
	for r := rouseAsync; r != nil; r = r.next {
		ch := (*hchan)(efaceOf(&r.timer.arg).data)
		if ch.recvq.first != nil {
			continue
		}
		r.timer.rouseMove(c.bubble, c.bubble.id, rouseStart())
		timerchandrain(ch)
		r.timer.maybeAdd()
	}
	gp.bubble = nil
}

// rouseMade returns what is noted of a timer of package time that is being made; rouseNote adds the rest.
func rouseMade() *rouseTimer {
	r := &rouseTimer{}
	if getg().rouse == nil {
		name, _, _ := rouseArmer()
		r.engine = stringslite.HasPrefix(name, "internal/rouse/")
	}
	return r
}

// rouseNote notes a timer that has just been made.
func (t *timer) rouseNote(when, period int64) {
	b := getg().bubble
	switch {
	case b == nil && rouseWorker.on:
		t.rouse.after, t.rouse.period, t.rouse.timer = when-getg().rouseAsked, period, t
		if arg := efaceOf(&t.arg); !t.isChan && arg._type.Kind() == abi.Chan {
			lock(&rouseAsyncLock)
			if !rouseAsyncClosed {
				t.rouse.next = rouseAsync
				rouseAsync = t.rouse
			}
			unlock(&rouseAsyncLock)
		}
	case b != nil && b.ctl != nil:
		t.rouse = &rouseTimer{id: b.id, after: when - b.now, period: period}
	}
}

// rouseTouch is called before a timer is used: stopped, reset, or received from. when is the time of
// a reset, as the user's code computed it, -1 for a stop, or 0. It returns when.
func (t *timer) rouseTouch(when, period int64) int64 {
	b := getg().bubble
	r := t.rouse
	switch {
	case b == nil:
		if r.id != 0 {
			t.rouseMove(nil, 0, rouseNanotime())
		}
		if when > 0 {
			r.after, r.period = when-getg().rouseAsked, period
		} else if when < 0 {
			r.after = -1
		}
	case b.ctl != nil && r.id != b.id:
		if !t.rouseMove(b, b.id, rouseStart()) && when > 0 && r.id == 0 {
			return when - b.now + rouseNanotime() // it goes on in real time
		}
	}
	return when
}

// rouseMove takes t out of the heap that it is in, and makes it what it was, counted from start, in
// the time of b, or in real time if b is nil. It does nothing and returns false if somebody waits
// for it.
func (t *timer) rouseMove(b *synctestBubble, id uint64, start int64) bool {
	sync := t.isChan && !rouseAsyncChans()
	if sync {
		lock(&t.sendLock)
	}
	t.lock()
	var ts *timers
	blocked := t.blocked > 0
	if !blocked {
		ts = t.rouseStop()
		t.seq++
	}
	t.unlock()
	if sync {
		unlock(&t.sendLock)
	}
	if blocked {
		return false
	}
	if sync {
		timerchandrain(t.hchan())
	}
	ts.rouseClean()
	r := t.rouse
	t.lock()
	t.rouseDue = 0
	t.isFake = b != nil
	t.period = r.period
	if r.after >= 0 {
		t.when = start + r.after
		if t.when < 0 {
			t.when = maxWhen
		}
		if !t.isChan && b != nil && t.when <= b.now {
			t.when = 0 // it has fired
		}
	}
	t.unlock()
	r.id = id
	return true
}

// rouseStop makes t, which is locked, a zombie of the heap that it is in, and returns that, or nil.
func (t *timer) rouseStop() *timers {
	if t.state&timerHeaped != 0 {
		t.state |= timerModified
		if t.state&timerZombie == 0 {
			t.state |= timerZombie
			t.ts.zombies.Add(1)
		}
	}
	t.when = 0
	return t.ts
}

// rouseClean takes the zombies out of a heap; nil is none.
func (ts *timers) rouseClean() {
	if ts == nil {
		return
	}
	mp := acquirem()
	ts.lock()
	ts.adjust(0, true)
	ts.unlock()
	releasem(mp)
}

// rouseDropTimer takes the timer away that a task sleeps by.
func rouseDropTimer(gp *g) {
	if t := gp.timer; t != nil {
		t.stop()
	}
}

// rouseBubble is whose time a timer channel follows.
func rouseBubble(b *synctestBubble) *synctestBubble {
	if c := getg().bubble; b == nil && c != nil && (c.ctl != nil || c.within != nil) {
		return c
	}
	return b
}

// rouseRand32 orders the timers of one time.
func rouseRand32() uint32 {
	if x, ok := rouseRand(); ok {
		return uint32(x >> 32)
	}
	return rouseCheaprand()
}
