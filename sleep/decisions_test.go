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
