//go:build chaos

package sleep

import (
	"fmt"
	"runtime"
	"testing"
)

// Each test drives one interleaving of the protocol to its end; the name begins
// with the step in whose window the other side comes, or with the bug. What it
// would catch is the protocol without that step.

// L1: the latch is set after the last search.
func TestF1LatchSetBeforeGetSleepy(t *testing.T) {
	c := newScene(t, 1)
	c.sleepy(0)
	c.fallsAsleep("w0", 0, c)
	c.to("w0", "sleep/latch-get-sleepy-pre")
	c.latches[0].Set()
	before := c.idle[0]
	c.turnsBack("w0", 0)
	c.counts(0, 1, 0, 0)
	if c.idle[0] != before {
		t.Errorf("it remembers %+v, before: %+v", c.idle[0], before)
	}
}

// H-L4: a fallAsleep that stores would overwrite the set latch and sleep.
func TestF3LatchSetBetweenGetSleepyAndFallAsleep(t *testing.T) {
	for _, point := range []string{"sleep/latch-get-sleepy-post", "sleep/lock-pre", "sleep/lock-post", "sleep/latch-fall-asleep-pre"} {
		t.Run(point, func(t *testing.T) {
			c := newScene(t, 1)
			c.sleepy(0)
			c.fallsAsleep("w0", 0, c)
			c.to("w0", point)
			if c.latches[0].CoreLatch.Set() {
				t.Error("Set asked for a notification, although the owner does not sleep")
			}
			c.turnsBack("w0", 0)
			c.counts(0, 1, 0, 0)
			c.fullyAwake(0)
		})
	}
}

// H-L5: SLEEPING before the lock would let the setter notify an owner that does
// not wait yet.
func TestF3LatchSetBetweenFallAsleepAndWait(t *testing.T) {
	for _, point := range []string{"sleep/latch-fall-asleep-post", "sleep/jec-check", "sleep/registered", "sleep/final-check-pre", "sleep/block-pre", "sleep/block", "sync/cond-wait"} {
		t.Run(point, func(t *testing.T) {
			c := newScene(t, 1)
			c.sleepy(0)
			c.fallsAsleep("w0", 0, c)
			c.to("w0", point)
			c.start("setter", c.latches[0].Set)
			c.to("setter", "sleep/latch-set-notify")
			c.waits("setter")
			c.send("w0", "")
			c.arrives("setter", "")
			c.woken("w0", 0)
			c.counts(0, 1, 1, 1)
			if !c.latches[0].Probe() {
				t.Error("the latch is not set any more")
			}
		})
	}
}

// The execution T1 to T4 of the seed documents. A positive control: with the notification dropped
// the owner sleeps for good, and the state says so.
func TestKDroppedLatchNotificationStrands(t *testing.T) {
	c := newScene(t, 1)
	c.sleeper("w0", 0, "")
	c.fault("sleep/latch-set-notify", 1)
	c.latches[0].Set()
	if c.latches[0].State() != Set {
		t.Errorf("latch %v", c.latches[0].State())
	}
	c.stranded("w0", 0)
}

// A worker that does not look at the JEC again would sleep although a job has
// been posted since its last search.
func TestF4JobPostedBeforeJECCheck(t *testing.T) {
	for _, point := range []string{"sleep/latch-get-sleepy-pre", "sleep/lock-pre", "sleep/latch-fall-asleep-post"} {
		t.Run(point, func(t *testing.T) {
			c := newScene(t, 1)
			c.sleepy(0)
			c.fallsAsleep("w0", 0, noJobs) // the final check is no help
			c.to("w0", point)
			c.inject()
			c.turnsBack("w0", 0)
			c.counts(0, 1, 0, 0)
			c.partlyAwake(0)
			if s := c.latches[0].State(); s != Unset {
				t.Errorf("latch %v, want UNSET (L3): it would never sleep again", s)
			}
		})
	}
}

// JEC check and sleeping++ are one CAS (E3): with two steps the worker would
// register after the post has counted the sleepers, and sleep.
func TestF5JobPostedBetweenJECCheckAndRegistration(t *testing.T) {
	for _, point := range []string{"sleep/jec-check", "sleep/cas-window"} {
		t.Run(point, func(t *testing.T) {
			c := newScene(t, 1)
			c.sleepy(0)
			c.fallsAsleep("w0", 0, noJobs)
			c.to("w0", point)
			c.inject()
			c.to("w0", "sleep/jec-check") // once more: the CAS has failed
			c.turnsBack("w0", 0)
			c.counts(0, 1, 0, 0)
			c.partlyAwake(0)
		})
	}
}

// Other workers' comings and goings change the word but not the JEC: a worker
// that took that for a job would not sleep.
func TestF5OthersTrafficOnlyRepeatsTheCheck(t *testing.T) {
	c := newScene(t, 2)
	c.sleepy(0)
	c.fallsAsleep("w0", 0, c)
	c.to("w0", "sleep/cas-window")
	c.looking(1)
	c.to("w0", "sleep/jec-check")
	c.fault("sleep/cas-window", 2) // and it bears a CAS that loses
	c.send("w0", "")
	c.asleep("w0", 0)
	c.counts(1, 2, 1, 0)
	c.NotifyLatchSet(0)
	c.woken("w0", 0)
	c.fullyAwake(0)
}

// A job posted after IncSleepers: poster and final check both handle it. Whichever
// comes first, nothing is counted twice.
func TestF6JobPostedAfterRegistration(t *testing.T) {
	for _, point := range []string{"sleep/registered", "sleep/fenced", "sleep/final-check-pre"} {
		t.Run(point, func(t *testing.T) {
			c := newScene(t, 1)
			c.sleepy(0)
			c.fallsAsleep("w0", 0, c)
			c.to("w0", point)
			c.start("poster", c.inject)
			c.to("poster", "sleep/wake-scan") // knows of a sleeper, goes for its lock
			c.waits("poster")
			c.turnsBack("w0", 0)
			c.arrives("poster", "")
			c.counts(0, 1, 0, 0)
			c.fullyAwake(0)
		})
	}
}

// A10: the job comes too late for the final check. A poster that looked at
// blocked without the lock would wake none.
func TestJPosterWaitsForTheLock(t *testing.T) {
	for _, point := range []string{"sleep/final-check-post", "sleep/block-pre", "sleep/block", "sync/cond-wait"} {
		t.Run(point, func(t *testing.T) {
			c := newScene(t, 1)
			c.sleepy(0)
			c.fallsAsleep("w0", 0, noJobs)
			c.to("w0", point)
			c.start("poster", c.inject)
			c.to("poster", "sleep/wake-scan")
			c.waits("poster")
			c.send("w0", "")
			c.arrives("poster", "")
			c.woken("w0", 0)
			c.counts(0, 1, 1, 1)
		})
	}
}

// A9: the job is in, the counters are not read. With the counters read before the
// push, or the final check before IncSleepers, neither would see the other.
func TestF7JobPushedButNotPosted(t *testing.T) {
	pushed := func(t *testing.T) *scene {
		c := newScene(t, 1)
		c.sleepy(0)
		c.start("poster", c.inject)
		c.to("poster", "sleep/post-load")
		c.fallsAsleep("w0", 0, c)
		return c
	}
	t.Run("the final check sees the job", func(t *testing.T) {
		c := pushed(t)
		c.turnsBack("w0", 0)
		c.ends("poster")
		c.counts(0, 1, 0, 0)
		c.fullyAwake(0)
	})
	t.Run("the poster sees the sleeper", func(t *testing.T) {
		c := pushed(t)
		c.fault("sleep/final-check-post", 1)
		c.send("w0", "")
		c.asleep("w0", 0)
		c.ends("poster")
		c.woken("w0", 0)
		c.counts(0, 1, 1, 1)
		c.fullyAwake(0)
	})
}

// H1: toggle and count are one snapshot. With the sleepers counted before the
// toggle (E2), a worker that falls asleep in between would be missed.
func TestH1WorkerFallsAsleepBeforeTheToggle(t *testing.T) {
	c := newScene(t, 1)
	c.sleepy(0)
	c.start("poster", c.inject)
	c.to("poster", "sleep/post-cas-window") // it has seen no sleeper
	c.fallsAsleep("w0", 0, noJobs)
	c.send("w0", "")
	c.asleep("w0", 0)
	c.to("poster", "sleep/post-load") // the CAS has failed
	c.ends("poster")
	c.woken("w0", 0)
	c.counts(0, 1, 1, 1)
}

// The waker counts (J), not the sleeper: a post before the sleeper runs must
// take it for idle, not wake it again, and not count on waking it.
func TestJWakerCounts(t *testing.T) {
	c := newScene(t, 1)
	c.sleeper("w0", 0, "sleep/woken")
	c.inject()
	if got := c.Counters(); got.Sleeping != 0 || got.Idle() != 1 {
		t.Errorf("before the sleeper has run: %+v", got)
	}
	c.inject()
	c.arrives("w0", "sleep/woken")
	c.turnsBack("w0", 0)
	c.counts(0, 1, 1, 1)
	c.fullyAwake(0)
}

// A positive control: a dropped notification strands the worker for good, and the
// state says that a poster meant to wake it.
func TestJDroppedNotificationStrands(t *testing.T) {
	c := newScene(t, 1)
	c.sleeper("w0", 0, "")
	c.fault("sleep/wake-notify", 1)
	c.inject()
	if s := c.Parker(0); !s.Asleep || !s.Notified || c.Counters().Sleeping != 0 {
		t.Errorf("%+v, %+v", s, c.Counters())
	}
	c.inject() // does not help: no worker counts as asleep
	if s := c.Parker(0); !s.Asleep || s.Wakes != 1 {
		t.Errorf("%+v", s)
	}
	c.Strategy.(*jec).parkers[0].cond.Broadcast()
	c.arrives("w0", "")
}

// Catches: a second notification that ends a later wait, and a spurious wake that
// the worker takes for a real one.
func TestF8DuplicateAndSpuriousWakes(t *testing.T) {
	c := newScene(t, 1)
	c.sleeper("w0", 0, "")
	c.fault("sleep/wake-notify", 1)
	c.rolls["sleep/wake-notify"] = 2
	c.inject()
	c.woken("w0", 0)

	c.queue.Store(0)
	c.WorkFound(&c.idle[0])
	c.fault("sleep/block", 2)
	c.sleeper("again", 0, "")
	for c.Parker(0).Spurious < 2 { // it gives the lock up in between
		runtime.Gosched()
	}
	c.counts(1, 1, 2, 1)
	c.inject()
	c.woken("again", 0)
	c.counts(0, 1, 2, 2)
}

// Catches: a spurious wake that RFC 5 does not count, or sleeps on after.
func TestRFC5CountsSpuriousWakes(t *testing.T) {
	v, _ := VariantNamed("rfc5")
	c := newScene(t, 1, v.Options...)
	c.looking(0)
	for range roundsInScene {
		c.NoWorkFound(&c.idle[0], &c.latches[0].CoreLatch, c)
	}
	c.fault("sleep/block", 1)
	c.fallsAsleep("w0", 0, c)
	c.ends("w0")
	if p := c.Parker(0); p.Asleep || p.Sleeps != 1 || p.Wakes != 0 || p.Spurious != 1 {
		t.Errorf("after it %+v", p)
	}
}

// Catches: a sleepy worker that makes the JEC even once more, so that another,
// which announced before, takes that for a job.
func TestDAnnouncementsAreShared(t *testing.T) {
	c := newScene(t, 2, WithInitialJEC(1))
	c.sleepy(0)
	c.sleepy(1)
	if c.idle[0].jec != 2 || c.idle[1].jec != 2 {
		t.Errorf("announced %d and %d, want 2 both", c.idle[0].jec, c.idle[1].jec)
	}
}

// D: the job is posted while the worker makes the JEC even. Had it announced the
// value that it read, or stored instead of a CAS, the post would be lost on it.
func TestDJobPostedDuringTheAnnouncement(t *testing.T) {
	c := newScene(t, 2, WithInitialJEC(1))
	c.looking(0)
	c.start("w0", func() { c.idle[0].jec, c.idle[0].announced = c.Strategy.(*jec).announceSleepy(), true })
	c.to("w0", "sleep/sleepy-cas-window")
	c.sleepy(1) // makes it even: 2
	c.inject()  // and odd: 3
	c.to("w0", "sleep/sleepy-load")
	c.ends("w0")
	if got := c.idle[0].jec; got != 4 || c.Counters().JEC != 4 {
		t.Errorf("announced %d, %+v; want 4", got, c.Counters())
	}
}

// Set and falling asleep, with one of the two stopped at each of its hook points,
// those of the atomics included, while the other runs. Catches: any of them made
// of two steps (a Set by load and store), in whose middle the other is missed.
func TestLatchIsAtomicAtEveryPoint(t *testing.T) {
	for _, settersTurn := range []bool{true, false} {
		for stop := 0; ; stop++ {
			ended := false
			t.Run(fmt.Sprintf("setter stops: %t, at point %d", settersTurn, stop), func(t *testing.T) {
				s := newSteps(t)
				var l CoreLatch
				var asleep, notifies bool
				set := func() { notifies = l.Set() }
				sleep := func() { asleep = l.getSleepy() && l.fallAsleep() }
				first, second := set, sleep
				if !settersTurn {
					first, second = sleep, set
				}
				s.start("first", first)
				for range stop {
					if !s.step("first") {
						ended = true
						break
					}
				}
				second()
				if !ended {
					s.ends("first")
				}
				if asleep != notifies || l.State() != Set {
					t.Errorf("the owner sleeps: %t, is notified: %t, the latch is %v", asleep, notifies, l.State())
				}
			})
			if ended || t.Failed() {
				break
			}
		}
	}
}
