//go:build chaos

package sleep

import (
	"runtime"
	"sync/atomic"
	"testing"
)

// scene is a protocol whose workers a test moves step by step. Every worker has
// searched once and found nothing; where the test says so, it has announced it.
type scene struct {
	*steps
	*Sleep
	queue   atomic.Int64 // injected jobs: a number is enough
	latches []SpinLatch
	idle    []IdleState
}

const roundsInScene = 3

func newScene(t *testing.T, workers int, options ...Option) *scene {
	t.Helper()
	s, err := New(workers, append([]Option{WithRoundsUntilSleepy(roundsInScene)}, options...)...)
	if err != nil {
		t.Fatal(err)
	}
	c := &scene{steps: newSteps(t), Sleep: s, latches: make([]SpinLatch, workers), idle: make([]IdleState, workers)}
	for i := range c.latches {
		c.latches[i].Init(s, i)
	}
	return c
}

func (c *scene) HasInjectedJob() bool { return c.queue.Load() > 0 }

// looking makes worker i idle.
func (c *scene) looking(i int) { c.StartLooking(i, &c.idle[i]) }

// sleepy makes worker i idle and lets it announce that it is sleepy; one search
// more, and it sleeps.
func (c *scene) sleepy(i int) {
	c.looking(i)
	for range roundsInScene + 1 {
		c.NoWorkFound(&c.idle[i], &c.latches[i].CoreLatch, c)
	}
}

// fallsAsleep makes a task of worker i's next step: F. final is what it asks in
// its final check.
func (c *scene) fallsAsleep(name string, i int, final Injected) {
	c.start(name, func() { c.NoWorkFound(&c.idle[i], &c.latches[i].CoreLatch, final) })
}

// asleep waits until worker i is blocked, whose task is called by that name.
func (c *scene) asleep(name string, i int) {
	c.t.Helper()
	for !c.Parker(i).Asleep {
		if len(c.tasks[name].at) > 0 {
			c.t.Fatalf("worker %d has not fallen asleep", i)
		}
		runtime.Gosched()
	}
}

// woken waits until the task of worker i comes to its end. The step that wakes the
// worker must have been taken.
func (c *scene) woken(name string, i int) {
	c.t.Helper()
	for len(c.tasks[name].at) == 0 {
		if s := c.Parker(i); s.Asleep && !s.Notified {
			c.NotifyLatchSet(i)
			<-c.tasks[name].at
			c.t.Fatalf("worker %d was not woken", i)
		}
		runtime.Gosched()
	}
	c.arrives(name, "")
}

// sleeper makes worker i fall asleep; its task is called by that name, and comes
// to that point, or to its end with "", when it is woken.
func (c *scene) sleeper(name string, i int, point string) {
	c.sleepy(i)
	c.fallsAsleep(name, i, c)
	c.send(name, point)
	c.asleep(name, i)
}

// push is G2', without a post.
func (c *scene) push() (queueWasEmpty bool) { return c.queue.Add(1) == 1 }

// inject is G', all of it, on the calling goroutine.
func (c *scene) inject() { c.NewInjectedJobs(1, c.push()) }

// stranded fails the test unless worker i sleeps and nothing is going to wake it,
// and then wakes it: its task ends.
func (c *scene) stranded(name string, i int) {
	c.t.Helper()
	if s := c.Parker(i); !s.Asleep || s.Notified {
		c.t.Errorf("worker %d is not stranded: %+v", i, s)
	}
	c.NotifyLatchSet(i)
	c.arrives(name, "")
}

// turnsBack lets worker i continue to the end of its task, without falling asleep for
// good.
func (c *scene) turnsBack(name string, i int) {
	c.t.Helper()
	c.send(name, "")
	c.woken(name, i)
}

// fullyAwake, partlyAwake: what worker i remembers afterwards.
func (c *scene) fullyAwake(i int) {
	c.t.Helper()
	c.remembers(i, 0)
}

func (c *scene) partlyAwake(i int) {
	c.t.Helper()
	c.remembers(i, roundsInScene)
}

func (c *scene) remembers(i int, rounds uint32) {
	c.t.Helper()
	if s := c.idle[i]; s.rounds != rounds || s.announced {
		c.t.Errorf("worker %d is at round %d, announced: %t; want round %d, not announced", i, s.rounds, s.announced, rounds)
	}
}

// counts fails the test unless that many workers sleep, are inactive, and have
// slept, been woken and woken spuriously in all.
func (c *scene) counts(sleeping, inactive int, sleeps, wakes uint64) {
	c.t.Helper()
	var s, w uint64
	for i := range c.latches {
		s += c.Parker(i).Sleeps
		w += c.Parker(i).Wakes
	}
	if got := c.Counters(); got.Sleeping != sleeping || got.Inactive != inactive || s != sleeps || w != wakes {
		c.t.Errorf("%d sleeping, %d inactive, %d sleeps, %d wakes; want %d, %d, %d, %d",
			got.Sleeping, got.Inactive, s, w, sleeping, inactive, sleeps, wakes)
	}
}
