package goroot

import (
	"strings"
	"testing"

	"github.com/rouse-go/rouse/chaos/goroot/wire"
	"github.com/rouse-go/rouse/chaos/verdict"
)

// earlyTimers has the tests of testdata/driver that depend on timers which fire early.
var earlyTimers = []struct {
	test string
	want verdict.Verdict
	note bool // of what does not count
	why  string
}{
	{"Watchdog", verdict.Pass, true, "a helper's watchdog panics by itself: nothing hangs"},
	{"WatchdogOfTest", verdict.Pass, false, "a watchdog of a file of tests does not fire early"},
	{"Fatal", verdict.Pass, true, "a goroutine of a helper fails the test after a time"},
	{"Panic", verdict.Pass, true, "a goroutine that a time-out wakes panics, after it has locked"},
	{"Exit", verdict.Pass, true, "a detector of deadlocks ends the process"},
	{"LogFatal", verdict.Pass, true, "likewise by log.Fatal"},
	{"Must", verdict.Pass, true, "a panic with an error is a failed check"},
	{"Type", verdict.Pass, true, "a file of tests asserts the type of what a time-out has kept from it"},
	{"Nil", verdict.Pass, true, "likewise a nil pointer"},
	{"Index", verdict.Pass, true, "likewise an index"},
	{"NilBeside", verdict.Pass, true, "likewise on a goroutine of its own, whose stack begins with the panic"},
	{"Reader", verdict.Pass, true, "likewise a nil reader, which package io reads"},
	{"Range", verdict.Pass, true, "likewise a range, of package slices"},
	{"Timer", verdict.Pass, true, "likewise a nil timer, of package time"},
	{"Count", verdict.Pass, true, "likewise a negative count, by a text of package strings"},
	{"Value", verdict.Pass, true, "likewise no value, by an error of package reflect"},
	{"Consequence", verdict.Pass, true, "it hangs because a check of a time limit has failed"},
	{"ConsequenceOfTest", verdict.Pass, false, "the time limit is that of a file of tests"},
	{"Read", verdict.Pass, true, "a context has timed out, the test has said so, and reads on without a limit"},
	{"SleepHang", verdict.Pass, false, "a test sleeps so that others get to a place, for longer than a loaded machine takes"},
	{"Impatient", verdict.Pass, false, "a test sleeps and then checks"},
	{"Eventually", verdict.Pass, true, "a condition has not been met for seconds, and the helper fails the test"},
	{"Retry", verdict.Pass, true, "all attempts have failed in seconds, and the test says so"},
	{"Heart", verdict.Pass, true, "a monitor that fails the test has missed beats"},
	{"TickerOfTest", verdict.Pass, false, "a ticker of a file of tests is a time limit"},

	{"Idle", verdict.Pass, false, "who sleeps waits for nothing, nor does the goroutine of the test: no machine stands still for seconds"},
	{"IdleTwice", verdict.Pass, false, "likewise if it sleeps in a loop"},
	{"IdleInSubtest", verdict.Pass, false, "likewise on the goroutine of a subtest"},
	{"Guard", verdict.Pass, false, "a file of tests makes a context of five seconds so that the test ends"},

	{"Phase", verdict.Deadlock, false, "a ticker may tick in the middle of anything, however long its period"},
	{"Reset", verdict.Deadlock, false, "so may a timer that is reset, once it has fired"},
	{"After", verdict.Deadlock, false, "and a loop of time.After"},
	{"Sleeps", verdict.Deadlock, false, "and a loop that sleeps"},
	{"Itself", verdict.Deadlock, false, "and a timer's function that arms the next one"},
	{"Tickers", verdict.Deadlock, false, "two periodic jobs take two locks in different orders"},
	{"Expiry", verdict.Panicked, false, "Stop may come too late: the runtime finds a channel that is closed twice"},
	{"Negative", verdict.Panicked, false, "likewise package sync, a negative counter"},
	{"NegativeBeside", verdict.Panicked, false, "likewise on a goroutine of its own"},
	{"Use", verdict.Panicked, false, "code under test has used what a time-out has kept from it"},
	{"ReadAll", verdict.Panicked, false, "likewise by way of package io"},
	{"Fill", verdict.Panicked, false, "likewise of package strings, which panics with a text"},
	{"Callback", verdict.Panicked, false, "likewise in a function that package sort calls for a test"},
	{"Twice", verdict.Panicked, false, "a channel is closed twice, be it by a file of tests"},
	{"Drain", verdict.Deadlock, false, "the value of a timer has been received: <-timer.C after Stop waits for ever"},
	{"Completion", verdict.Deadlock, false, "a caller that its context has ended waits for a worker that nothing receives from"},
	{"Limit", verdict.Deadlock, false, "a context of other code, of five seconds, is a time-out as any other"},
	{"Batch", verdict.Panicked, false, "a timer's function may run in the middle of what the test does"},
	{"IdleBeside", verdict.Panicked, false, "another goroutine may be slow: it may wait for something slow outside of tests"},
	{"IdleForAWhile", verdict.Panicked, false, "a machine stands still for less than half a second"},
	{"Middle", verdict.Deadlock, false, "a test stops in the middle after ten milliseconds, as a loaded machine may"},
}

// A failure counts unless it follows from an early timer by what code does that has waited long enough.
func testDriverEarly(t *testing.T, b *testBinary) {
	for _, x := range earlyTimers {
		t.Run(x.test, func(t *testing.T) {
			name := "TestEarly" + x.test
			if x.test == "Impatient" {
				name = "TestImpatient"
			}
			r, noted := explore(name, 1000), false
			for r.From < r.To {
				a := b.one(t, r)
				for _, n := range a.Notes {
					noted = noted || strings.Contains(n, "fails when timers fire early, first in execution ")
				}
				if a.Kind == wire.Failed {
					break
				}
				r.From = a.Next
			}
			if noted != x.note {
				t.Errorf("it is noted that the test fails when timers fire early: %t, want %t: %s", noted, x.note, x.why)
			}
			got := verdict.Pass
			if r.From < r.To {
				got = b.settled(t, r).Verdict
			}
			if got != x.want {
				t.Errorf("the verdict is %s, want %s: %s", got, x.want, x.why)
			}
		})
	}
	r := explore("TestImpatient", 300)
	r.Settings.Clock = "lazy"
	if a := b.one(t, r); a.Kind != wire.Explored || len(a.Notes) != 0 || a.Counts.Evidence.Timers == 0 || a.Counts.Evidence.Early != 0 || a.Counts.Evidence.Far != 0 {
		t.Errorf("%+v, %+v", a, a.Failure)
	}
	r.Settings.Clock = "mixed"
	if a := b.one(t, r); a.Kind != wire.Explored || a.Counts.Evidence.Far == 0 {
		t.Errorf("%+v, %+v", a, a.Failure)
	}
	for _, test := range []string{"TestImpatient", "TestEarlyConsequence", "TestEarlyWatchdog"} {
		r := explore(test, 300)
		r.Settings.Clock = "racy"
		if a := b.one(t, r); a.Kind != wire.Failed {
			t.Errorf("%+v", a)
		}
	}
	// A machine may be that slow.
	if f := b.settled(t, explore("TestHasty", 300)); f.Verdict != verdict.WrongResult {
		t.Errorf("%+v", f)
	}
}
