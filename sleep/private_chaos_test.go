//go:build chaos

package sleep

import "testing"

// waitsPrivately makes a task of one private wait of worker i.
func (c *scene) waitsPrivately(name string, i int) {
	c.start(name, func() { c.WaitPrivately(i, &c.latches[i].CoreLatch, c) })
}

// Q1, Q3: the latch is set before the owner says that it sleeps.
func TestQ3LatchSetBeforeFallAsleep(t *testing.T) {
	for _, point := range []string{"sleep/latch-get-sleepy-pre", "sleep/latch-get-sleepy-post", "sleep/private-lock-pre", "sleep/private-lock-post", "sleep/latch-fall-asleep-pre"} {
		t.Run(point, func(t *testing.T) {
			c := newScene(t, 1)
			c.waitsPrivately("w0", 0)
			c.to("w0", point)
			if c.latches[0].CoreLatch.Set() {
				t.Error("Set asked for a notification, although the owner does not sleep")
			}
			c.turnsBack("w0", 0)
			c.counts(0, 0, 0, 0)
		})
	}
}

// Q4, Q5: the latch is set when the owner has said that it sleeps: the setter
// waits for the lock, and then wakes it.
func TestQ5LatchSetBetweenFallAsleepAndWait(t *testing.T) {
	for _, point := range []string{"sleep/latch-fall-asleep-post", "sleep/private-check-pre", "sleep/private-block-pre", "sleep/block", "sync/cond-wait"} {
		t.Run(point, func(t *testing.T) {
			c := newScene(t, 1)
			c.waitsPrivately("w0", 0)
			c.to("w0", point)
			c.start("setter", c.latches[0].Set)
			c.to("setter", "sleep/latch-set-notify")
			c.waits("setter")
			c.send("w0", "")
			c.arrives("setter", "")
			c.woken("w0", 0)
			c.counts(0, 0, 1, 1)
			if !c.latches[0].Probe() {
				t.Error("the latch is not set any more")
			}
		})
	}
}

// Q4: a job comes before the last look, which finds it.
func TestQ4JobBeforeTheLastLook(t *testing.T) {
	for _, point := range []string{"sleep/latch-get-sleepy-pre", "sleep/private-lock-pre", "sleep/private-lock-post", "sleep/private-check-pre"} {
		t.Run(point, func(t *testing.T) {
			c := newScene(t, 1)
			c.waitsPrivately("w0", 0)
			c.to("w0", point)
			c.push() // and its notifier is slow
			c.turnsBack("w0", 0)
			c.counts(0, 0, 0, 0)
			c.NotifyLatchSet(0)
			c.counts(0, 0, 0, 0)
			if c.latches[0].State() != Unset {
				t.Errorf("latch %v", c.latches[0].State())
			}
		})
	}
}

// Q5: a job comes after the last look: its notifier waits for the lock, and then
// finds the worker blocked.
func TestQ5JobAfterTheLastLook(t *testing.T) {
	for _, point := range []string{"sleep/private-block-pre", "sleep/block", "sync/cond-wait"} {
		t.Run(point, func(t *testing.T) {
			c := newScene(t, 1)
			c.waitsPrivately("w0", 0)
			c.to("w0", point)
			c.push()
			c.start("notifier", func() { c.NotifyLatchSet(0) })
			c.waits("notifier")
			c.send("w0", "")
			c.arrives("notifier", "")
			c.woken("w0", 0)
			c.counts(0, 0, 1, 1)
		})
	}
}

// A positive control: the last look is overlooked, and the notifier came before.
func TestQ4OverlookedStrands(t *testing.T) {
	c := newScene(t, 1)
	c.waitsPrivately("w0", 0)
	c.to("w0", "sleep/private-lock-pre")
	c.push()
	c.NotifyLatchSet(0)
	c.fault("sleep/private-check-post", 1)
	c.send("w0", "")
	c.asleep("w0", 0)
	c.stranded("w0", 0)
}

// A private sleeper and an ordinary one: whatever is posted wakes the other.
func TestPostWakesTheOtherOne(t *testing.T) {
	c := newScene(t, 2)
	c.waitsPrivately("w0", 0)
	c.send("w0", "")
	c.asleep("w0", 0)
	c.sleeper("w1", 1, "")
	c.inject()
	c.woken("w1", 1)
	if s := c.Parker(0); !s.Private || s.Notified {
		t.Errorf("the private sleeper: %+v", s)
	}
	c.counts(0, 1, 2, 1)
	c.latches[0].Set()
	c.woken("w0", 0)
	c.counts(0, 1, 2, 2)
}
