package sleep

import (
	"fmt"
	"strings"
	"testing"
)

// rulesOf returns what a variant decides by, or false if it is not a variant of JEC.
func rulesOf(v Variant) (rules, bool) {
	c := newConfig(v.Options)
	return c.rules, c.protocol == jecProtocol
}

// afterPost is H3: how many sleepers to wake after num jobs were put into a queue that was empty or
// not: a worker's, or the injector if worker is negative. If ahead, the last is woken ahead of
// need.
func afterPost(r rules, worker, num int, queueWasEmpty bool, c Counters, workers int) (n int, ahead bool) {
	p := posted{max(worker, outside), num, queueWasEmpty}
	n = r.afterPost(p.wanted(c), p, c, workers)
	if ahead = r.wakeAhead(n, p, c); ahead {
		n++
	}
	return n, ahead
}

// Catches: a decision that is not the document's, of any variant; one variant's taken for
// another's; decisions of a protocol that counts nothing.
func TestDecisions(t *testing.T) {
	const workers = 16
	counters := func(sleeping, idle int) Counters { return Counters{Sleeping: sleeping, Inactive: sleeping + idle} }
	for name, want := range map[string]string{ // injected with 0, 1 idle, with one asleep, two at once; a worker's with 1 idle, behind others, alone; found with 0, 1 idle, 1 asleep, 13 and 1 asleep and another woken ahead
		"jec":             "2! 0 1 2 1 0 2 2 1 1 1",
		"jec-every-job":   "2! 0 1 2 1 0 2 2 1 1 1",
		"jec-local-queue": "1 0 1 2 1 0 2 2 1 1 1",
		"jec-two-idle":    "2 1 1 2 1 1 2 2 1 1 1",
		"jec-blocks":      "1 0 1 5 1 0 2 2 1 1 1",
		"jec-spinners":    "1 0 1 1 0 0 1 0 1 0 0",
		"jec-readme":      "1 0 1 2 0 0 0 0 0 0 0",
	} {
		v, _ := VariantNamed(name)
		r, ok := rulesOf(v)
		if !ok {
			t.Fatalf("%s has no decisions", name)
		}
		var got []string
		post := func(worker, num int, queueWasEmpty bool, c Counters) {
			n, ahead := afterPost(r, worker, num, queueWasEmpty, c, workers)
			s := fmt.Sprint(n)
			if ahead {
				s += "!"
			}
			got = append(got, s)
		}
		post(-1, 1, true, counters(13, 0))
		post(-1, 1, true, counters(13, 1))
		post(-1, 1, true, counters(1, 0))
		post(-1, 2, true, counters(13, 0))
		post(3, 1, false, counters(13, 1))
		post(3, 1, true, counters(13, 1))
		found := func(c Counters, ahead bool) { got = append(got, fmt.Sprint(r.afterFound(replacements(c, ahead), c))) }
		found(counters(13, 0), false)
		found(counters(13, 1), false)
		found(counters(1, 0), false)
		found(counters(12, 1), true)
		found(counters(1, 1), true)
		if got := strings.Join(got, " "); got != want {
			t.Errorf("%s: wakes %s, want %s", name, got, want)
		}
	}
	blocks, _ := VariantNamed("jec-blocks")
	r, _ := rulesOf(blocks)
	if n, _ := afterPost(r, -1, 1, true, counters(11, 0), workers); n != 3 { // 5 are awake, and 8 are to be
		t.Errorf("blocks: wakes %d of 11 sleepers with 5 awake, want 3", n)
	}
	local, _ := VariantNamed("jec-local-queue")
	r, _ = rulesOf(local)
	if n, _ := afterPost(r, 3, 1, true, counters(13, 0), workers); n != 0 {
		t.Errorf("local-queue: wakes %d for a worker's job in an empty queue, want 0", n)
	}
	for _, name := range []string{"tickle", "rfc5"} {
		v, _ := VariantNamed(name)
		if _, ok := rulesOf(v); ok {
			t.Errorf("%s has decisions", name)
		}
	}
}

// jecOf returns a JEC, and what tests see of it that pools don't.
func jecOf(t testing.TB, workers int, options ...Option) *jec {
	t.Helper()
	s, err := New(workers, options...)
	if err != nil {
		t.Fatal(err)
	}
	return s.Strategy.(*jec)
}

// standing returns a protocol whose first workers are idle, whose next ones are
// asleep, and whose others are active: without a goroutine, so nothing moves.
func standing(t *testing.T, idle, asleep, active int) *jec {
	t.Helper()
	s := jecOf(t, idle+asleep+active)
	for i := range idle + asleep {
		s.counters.addInactive()
		if i >= idle {
			s.counters.trySleeping(s.counters.load())
			s.parkers[i].blocked = true
		}
	}
	return s
}

// woken lists the workers that have been woken, in ascending order, and checks
// that each is counted once, by its waker.
func woken(t *testing.T, s *jec, idle, asleep int) (list []int) {
	t.Helper()
	for i := range s.parkers {
		p := &s.parkers[i]
		was := i >= idle && i < idle+asleep
		if was && !p.blocked {
			list = append(list, i)
		}
		if now := p.wakes == 1; now != (was && !p.blocked) || p.wakes > 1 {
			t.Errorf("worker %d: %d wakes, blocked before: %t, now: %t", i, p.wakes, was, p.blocked)
		}
	}
	if got := s.Counters().Sleeping; got != asleep-len(list) {
		t.Errorf("%d of %d sleepers woken, but %d are counted as sleeping: the waker counts", len(list), asleep, got)
	}
	return list
}

// Catches: a wrong wake rule (H3), a waker that does not count for the sleeper
// (J), a scan that does not begin at worker 0 or continues too long (I).
func TestWakeRules(t *testing.T) {
	for _, c := range []struct {
		idle, asleep, num int
		queueWasEmpty     bool
		want              int
	}{
		// No worker sleeps: none is woken.
		{0, 0, 1, true, 0}, {0, 0, 1, false, 0}, {2, 0, 3, false, 0},
		// The queue was empty: each idle worker is good for one job.
		{0, 1, 1, true, 1}, {0, 3, 1, true, 1},
		{1, 1, 1, true, 0}, {2, 3, 1, true, 0},
		{1, 3, 3, true, 2}, {2, 3, 3, true, 1}, {3, 3, 3, true, 0},
		{0, 2, 5, true, 2}, {1, 2, 5, true, 2},
		// It was not empty: the idle ones don't keep up.
		{0, 1, 1, false, 1}, {1, 1, 1, false, 1}, {3, 3, 1, false, 1},
		{3, 3, 2, false, 2}, {3, 2, 5, false, 2},
		// No job, no wake.
		{0, 2, 0, true, 0}, {0, 2, 0, false, 0},
	} {
		for name, post := range map[string]func(s *Sleep, num int, queueWasEmpty bool){
			"injected": (*Sleep).NewInjectedJobs,
			"internal": func(s *Sleep, num int, queueWasEmpty bool) { s.NewInternalJobs(0, num, queueWasEmpty) },
		} {
			s := standing(t, c.idle, c.asleep, 1)
			post(newSleep(s), c.num, c.queueWasEmpty)
			wakes := c.want
			if name == "injected" && c.want == 1 && c.asleep > 1 {
				wakes++ // ahead of need
			}
			var want []int
			for i := range wakes {
				want = append(want, c.idle+i)
			}
			if got := woken(t, s, c.idle, c.asleep); fmt.Sprint(got) != fmt.Sprint(want) {
				t.Errorf("%s, %+v: woke %v, want %v", name, c, got, want)
			}
			if s.Counters().JEC != 1 {
				t.Errorf("%s, %+v: the JEC is %d after the first post, want 1", name, c, s.Counters().JEC)
			}
		}
	}
}

// Catches: an exit from the idle state that wakes none (the leaver of
// PROTOCOLS 8.2 then strands a job), or more than two.
func TestWorkFoundWakesUpToTwo(t *testing.T) {
	for asleep, want := range []string{"[]", "[1]", "[1 2]", "[1 2]", "[1 2]"} {
		s := standing(t, 1, asleep, 0)
		s.WorkFound(new(IdleState))
		if got := fmt.Sprint(woken(t, s, 1, asleep)); got != want {
			t.Errorf("%d asleep: woke %s, want %s", asleep, got, want)
		}
		if c := s.Counters(); c.Idle() != min(asleep, 2) {
			t.Errorf("%d asleep: afterwards %+v", asleep, c)
		}
	}
}

// Catches: a worker that does not know, or not any more, that another has been woken ahead: the herd
// grows; one that then wakes none (race 7); one that believes it for good.
func TestWhoIsWokenWithAnotherWakesOneLess(t *testing.T) {
	const all = 5
	s := standing(t, 0, all, 0)
	newSleep(s).NewInjectedJobs(1, true)
	for i, want := range []string{"[0 1 2]", "[0 1 2 3]"} { // each of the two may find the job, and the other one more
		idle := &IdleState{ahead: s.parkers[i].ahead}
		s.WorkFound(idle)
		if got := fmt.Sprint(woken(t, s, 0, all)); got != want {
			t.Errorf("worker %d has found work: woken so far %s, want %s", i, got, want)
		}
		s.StartLooking(i, idle)
		if idle.ahead {
			t.Errorf("worker %d takes another for its successor for good", i)
		}
	}
	for what, ahead := range map[string]bool{"successor": s.parkers[2].ahead, "successor's successor": s.parkers[3].ahead} {
		if ahead {
			t.Errorf("the %s was woken ahead, by no post", what)
		}
	}
	s.parkers[4].ahead = true // from another time
	s.NotifyLatchSet(4)
	if s.parkers[4].ahead {
		t.Error("a worker that is woken by its latch takes another for its successor")
	}
}

// Catches: a notification for one worker that wakes another, or that counts a
// worker that was awake.
func TestNotifyLatchSetWakesThatWorker(t *testing.T) {
	s := standing(t, 1, 2, 1)
	s.NotifyLatchSet(2)
	if got := fmt.Sprint(woken(t, s, 1, 2)); got != "[2]" {
		t.Errorf("woke %s, want [2]", got)
	}
	for _, awake := range []int{0, 2, 3} {
		s.NotifyLatchSet(awake)
	}
	woken(t, s, 1, 2)
}

// Catches: a post that bumps the JEC each time (a contended line), or an
// announcement that bumps an even one, or returns the value from before.
func TestJECIsBumpedOnlyWhenItMust(t *testing.T) {
	s := jecOf(t, 1, WithInitialJEC(6))
	for _, want := range []uint64{6, 6} {
		if got := s.announceSleepy(); got != want {
			t.Errorf("announced %d, want %d", got, want)
		}
	}
	for range 2 {
		newSleep(s).NewInjectedJobs(1, true)
		if got := s.Counters().JEC; got != 7 {
			t.Errorf("after a post: %d, want 7", got)
		}
	}
	if got := s.announceSleepy(); got != 8 {
		t.Errorf("announced %d, want 8", got)
	}
}

// jobs is an Injected that answers by a function.
type jobs func() bool

func (f jobs) HasInjectedJob() bool { return f() }

var noJobs = jobs(func() bool { return false })

// Catches: a worker that announces or sleeps a round too early or too late, does
// not search again after its announcement, looks for injected jobs before it is
// registered (A8, C5), without its lock or with a latch that setters don't notify,
// and one that does not unregister or start afresh when it has found one.
func TestRoundsUntilTheFinalCheck(t *testing.T) {
	for _, rounds := range []int{0, 1, 5, DefaultRoundsUntilSleepy} {
		s := jecOf(t, 2, WithRoundsUntilSleepy(rounds), WithInitialJEC(3))
		var latch CoreLatch
		checks := 0
		final := jobs(func() bool {
			checks++
			if c := s.Counters(); c != (Counters{Sleeping: 1, Inactive: 1, JEC: 4}) {
				t.Errorf("%d rounds: in the final check %+v", rounds, c)
			}
			if latch.State() != Sleeping || s.parkers[1].mu.TryLock() {
				t.Errorf("%d rounds: in the final check the latch is %v, or the sleep lock free", rounds, latch.State())
			}
			return true
		})
		var idle IdleState
		s.StartLooking(1, &idle)
		for round := range rounds + 2 {
			if idle.announced != (round == rounds+1) || checks != 0 {
				t.Errorf("%d rounds: announced %t, %d final checks before search %d", rounds, idle.announced, checks, round)
			}
			s.NoWorkFound(&idle, &latch, final)
		}
		if checks != 1 || idle.rounds != 0 || idle.announced || latch.State() != Unset {
			t.Errorf("%d rounds: afterwards %d checks, %+v, latch %v", rounds, checks, idle, latch.State())
		}
		if c := s.Counters(); c != (Counters{Inactive: 1, JEC: 4}) || s.Parker(1) != (ParkerState{}) {
			t.Errorf("%d rounds: afterwards %+v, %+v", rounds, c, s.Parker(1))
		}
		s.WorkFound(&idle)
	}
}

// Catches: a worker that does not notice a job posted after its announcement
// (F4), or that announces again although it ought only to search once more.
func TestChangedJECWakesPartly(t *testing.T) {
	s := jecOf(t, 1, WithRoundsUntilSleepy(5))
	var latch CoreLatch
	var idle IdleState
	s.StartLooking(0, &idle)
	for range 6 {
		s.NoWorkFound(&idle, &latch, noJobs)
	}
	newSleep(s).NewInternalJobs(0, 1, true)
	s.NoWorkFound(&idle, &latch, jobs(func() bool { t.Error("the JEC has changed, but it went on to the final check"); return true }))
	if idle.rounds != 5 || idle.announced || latch.State() != Unset || s.Counters() != (Counters{Inactive: 1, JEC: 1}) {
		t.Errorf("%+v, latch %v, %+v", idle, latch.State(), s.Counters())
	}
}

// Catches: a worker that sleeps although its latch is set (L1), or that loses its
// place in the protocol over it.
func TestSetLatchKeepsAwake(t *testing.T) {
	s := jecOf(t, 1, WithRoundsUntilSleepy(0))
	var latch CoreLatch
	var idle IdleState
	s.StartLooking(0, &idle)
	s.NoWorkFound(&idle, &latch, noJobs)
	before := idle
	if latch.Set() {
		t.Error("the owner was awake")
	}
	s.NoWorkFound(&idle, &latch, noJobs)
	if idle != before || latch.State() != Set || s.Counters() != (Counters{Inactive: 1}) {
		t.Errorf("%+v, latch %v, %+v", idle, latch.State(), s.Counters())
	}
}
