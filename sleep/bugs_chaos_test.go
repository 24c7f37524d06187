//go:build chaos

package sleep

import (
	"sync/atomic"
	"testing"
)

// The roll-over of PROTOCOLS 8.2, step by step: a job is posted, a worker that is
// about to leave rolls the JEC over to what the other one remembers, and leaves
// without having searched. The JEC is then no help; the final check is. (BUG-21.)
func TestRollOverWithALeaver(t *testing.T) {
	for _, v := range []struct {
		name             string
		bits             int
		failsFinalChecks int
		stranded         bool
	}{
		{"1 bit, with the final check", 1, 0, false},
		{"1 bit, without: C4, the positive control", 1, 1, true},
		{"3 bits, without: C3", 3, 1, false},
	} {
		t.Run(v.name, func(t *testing.T) {
			c := newScene(t, 2, WithWidths(Widths{2, 2, v.bits}))
			c.sleepy(1)
			c.looking(0)
			c.fallsAsleep("w1", 1, c)
			c.to("w1", "sleep/latch-fall-asleep-post")

			c.inject() // sees no sleeper and two idle workers: wakes none
			for range roundsInScene + 1 {
				c.NoWorkFound(&c.idle[0], &c.latches[0].CoreLatch, c) // w0 announces
			}
			c.latches[0].Set()
			c.WorkFound(&c.idle[0]) // w0 leaves

			c.fault("sleep/final-check-post", v.failsFinalChecks)
			if !v.stranded {
				c.turnsBack("w1", 1)
				c.counts(0, 1, 0, 0)
				return
			}
			c.send("w1", "")
			c.asleep("w1", 1)
			c.counts(1, 1, 1, 0)
			if c.queue.Load() != 1 {
				t.Error("no job in the queue")
			}
			c.stranded("w1", 1)
		})
	}
}

// The same without a leaver: the announcer searches once more and finds the job,
// so that nothing is stranded even without the final check (A6).
func TestRollOverWithoutALeaver(t *testing.T) {
	c := newScene(t, 2, WithWidths(narrow))
	c.sleepy(1)
	c.looking(0)
	c.fallsAsleep("w1", 1, c)
	c.to("w1", "sleep/latch-fall-asleep-post")
	c.inject()
	for range roundsInScene + 1 {
		c.NoWorkFound(&c.idle[0], &c.latches[0].CoreLatch, c)
	}
	c.fault("sleep/final-check-post", 1)
	c.send("w1", "")
	c.asleep("w1", 1)
	if !c.HasInjectedJob() {
		t.Fatal("w0's search after its announcement does not find the job")
	}
	c.queue.Add(-1)
	c.WorkFound(&c.idle[0]) // w0 has found it, and wakes w1 in its place
	c.woken("w1", 1)
	c.counts(0, 1, 1, 1)
}

// BUG-39: an injector counts on w0, which is idle, and wakes none; w0 leaves
// because its latch is set. If it does not wake a successor, w1 sleeps on with
// the job.
func TestBUG39LeavingTheIdleStateWakes(t *testing.T) {
	leaves := func(t *testing.T) *scene {
		c := newScene(t, 2)
		c.looking(0)
		c.sleeper("w1", 1, "")
		c.inject()
		c.counts(1, 2, 1, 0)
		c.latches[0].Set()
		return c
	}
	t.Run("wakes", func(t *testing.T) {
		c := leaves(t)
		c.WorkFound(&c.idle[0])
		c.woken("w1", 1)
		c.counts(0, 1, 1, 1)
	})
	t.Run("wakes none: C11, the positive control", func(t *testing.T) {
		c := leaves(t)
		c.fault("sleep/found-wake", 1)
		c.WorkFound(&c.idle[0])
		c.counts(1, 1, 1, 0)
		c.stranded("w1", 1)
	})
}

// BUG-31: a broadcast arrives between a worker's search and its lock. The
// broadcaster finds it not blocked, there is no post; only a final check that
// looks at the worker's own broadcasts sees the job.
func TestBUG31BroadcastBetweenSearchAndLock(t *testing.T) {
	between := func(t *testing.T, looksAtBroadcasts bool) *scene {
		c := newScene(t, 1)
		var broadcasts atomic.Int64
		c.sleepy(0)
		c.fallsAsleep("w0", 0, jobs(func() bool {
			return c.HasInjectedJob() || looksAtBroadcasts && broadcasts.Load() > 0
		}))
		c.to("w0", "sleep/lock-pre")
		broadcasts.Add(1)
		c.NotifyLatchSet(0)
		return c
	}
	t.Run("looks at its broadcasts", func(t *testing.T) {
		c := between(t, true)
		c.turnsBack("w0", 0)
		c.counts(0, 1, 0, 0)
	})
	t.Run("looks at the injector alone: D2, the positive control", func(t *testing.T) {
		c := between(t, false)
		c.send("w0", "")
		c.asleep("w0", 0)
		c.stranded("w0", 0)
	})
}

// BUG-16, 25, 29: the owner reuses its latch as soon as it is set. Catches: a
// SpinLatch that reads after the swap which worker to notify.
func TestBUG16LatchReusedAfterTheSwap(t *testing.T) {
	c := newScene(t, 2)
	c.sleeper("w0", 0, "")
	latch := &c.latches[0]
	c.start("setter", latch.Set)
	c.to("setter", "sleep/latch-set-swapped")
	latch.Init(c.Sleep, 1) // for another owner
	c.ends("setter")
	c.woken("w0", 0)
	if s := c.Parker(0); s.Wakes != 1 {
		t.Errorf("worker 0: %+v", s)
	}
}

// Catches: a hook whose roll does not reach the counter, or spills over its
// width, so that a plan that rolls tests nothing.
func TestRollsReachTheJEC(t *testing.T) {
	roll := func(c *scene, point string, to uint64) {
		c.fault(point, 1)
		c.rolls[point] = to
	}
	c := newScene(t, 1, WithWidths(Widths{2, 2, 3}), WithInitialJEC(1))
	roll(c, "sleep/sleepy-write", 8+6)
	c.sleepy(0)
	if c.idle[0].jec != 6 || c.Counters().JEC != 6 {
		t.Errorf("announced %d, %+v; want 6", c.idle[0].jec, c.Counters())
	}
	roll(c, "sleep/post-write", 8+3)
	c.inject()
	if c.Counters().JEC != 3 {
		t.Errorf("posted: %+v; want 3", c.Counters())
	}
	roll(c, "sleep/jec-check", 8+6) // it reads what it remembers, although a job was posted
	c.fallsAsleep("w0", 0, noJobs)
	c.send("w0", "")
	c.asleep("w0", 0)
	if c.Counters() != (Counters{Sleeping: 1, Inactive: 1, JEC: 3}) {
		t.Errorf("a JEC check must not write: %+v", c.Counters())
	}
	c.stranded("w0", 0)
}
