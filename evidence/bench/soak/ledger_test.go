package soak

import (
	"fmt"
	"slices"
	"testing"
)

// Catches: a defect of a job that the ledger doesn't see, or an account that leaves out a job.
func TestLedgerSees(t *testing.T) {
	for _, test := range []struct {
		times    int
		reported uint8
		want     []string
		account  Account
	}{
		{1, accepted, nil, Account{Ran: 3}},
		{0, accepted, []string{"lost: job 1 never ran"}, Account{Ran: 3}},
		{2, accepted, []string{"run twice: job 1 ran 2 times"}, Account{Ran: 3}},
		{0, dropped, nil, Account{Ran: 2, Dropped: 1}},
		{1, dropped, []string{"ran dropped: job 1 ran 1 times"}, Account{Ran: 2, Dropped: 1}},
		{0, refused, nil, Account{Ran: 2, Refused: 1}},
		{1, refused, []string{"ran refused: job 1 ran 1 times"}, Account{Ran: 2, Refused: 1}},
	} {
		l := newLedger(3)
		l.run(0)
		l.run(2)
		for range test.times {
			l.run(1)
		}
		l.reported[1] = test.reported
		var got []string
		account := l.settle(func(what, format string, args ...any) { got = append(got, what+": "+fmt.Sprintf(format, args...)) })
		if !slices.Equal(got, test.want) || account != test.account || account.Jobs() != 3 {
			t.Errorf("run %d times, reported %d: %q, %+v; want %q, %+v", test.times, test.reported, got, account, test.want, test.account)
		}
	}
}

// Catches: a job that runs once more after its batch has been settled.
func TestLateJobIsSeen(t *testing.T) {
	e := &env{}
	b := e.newBatch(draw{kind: Kinds()[0], jobs: 2})
	b.run(0)
	b.run(1)
	b.finish()
	b.again()
	if len(e.defects) != 0 {
		t.Fatalf("defects of a good batch: %v", e.defects)
	}
	b.run(1)
	b.again()
	if len(e.defects) != 1 || e.defects[0].What != Twice {
		t.Errorf("defects %v, want job 1 run twice", e.defects)
	}
}

// Catches: a panic that was lost, or caught twice.
func TestPanicsAreCounted(t *testing.T) {
	for times, want := range map[int]int{0: 1, 1: 0, 2: 1} {
		e := &env{}
		b := e.newBatch(draw{kind: Kinds()[0], jobs: 1})
		b.caught = newLedger(1)
		b.caught.reported[0] = 1
		b.run(0)
		for range times {
			b.catch(mishap{b, 0})
		}
		b.finish()
		if len(e.defects) != want || want > 0 && e.defects[0].What != WrongResult {
			t.Errorf("a panic that was caught %d times: %v", times, e.defects)
		}
		if b.catch("another"); len(e.defects) != want+1 {
			t.Errorf("a panic that no job has panicked with: %v", e.defects)
		}
	}
}

// Catches: a plan that depends on anything but the seed, or hands out another number of jobs than
// asked for.
func TestPlan(t *testing.T) {
	draws := func(seed uint64) (all []draw) {
		p := newPlan(Kinds(), 1_000_003, seed)
		for d, ok := p.next(); ok; d, ok = p.next() {
			d.kind = nil // another each time
			all = append(all, d)
		}
		return all
	}
	jobs := 0
	for i, d := range draws(7) {
		if jobs += d.jobs; d.number != i || d.jobs < 1 {
			t.Errorf("batch %d: %+v", i, d)
		}
	}
	if jobs != 1_000_003 {
		t.Errorf("%d jobs", jobs)
	}
	if !slices.Equal(draws(7), draws(7)) || slices.Equal(draws(7), draws(8)) {
		t.Error("the plan does not follow from the seed")
	}
}

// Catches: a share that is not what the documents say.
func TestSharesAreOfAHundred(t *testing.T) {
	sum := 0.0
	for _, k := range Kinds() {
		sum += k.Share
	}
	if sum < 99.999 || sum > 100.001 {
		t.Errorf("the shares of all kinds are %g %%", sum)
	}
}

// Catches: memory beyond a bound that is not reported, or reported more than once.
func TestMemoryCheck(t *testing.T) {
	m := &memoryCheck{start: reading{heap: 1 << 20}, limit: 8 << 20}
	var reported []string
	for _, inUse := range []uint64{7 << 20, 9 << 20, 3 << 20, 10 << 20} {
		if wrong := m.look(reading{inUse: inUse}); wrong != "" {
			reported = append(reported, wrong)
		}
	}
	if want := []string{"9 MiB in use, want 8 at most"}; !slices.Equal(reported, want) || m.peak != 10<<20 {
		t.Errorf("reported %q, want %q; peak %d", reported, want, m.peak)
	}
	if wrong := m.end(reading{heap: 17 << 20}); wrong != "" {
		t.Error(wrong)
	}
	if wrong := m.end(reading{heap: 17<<20 + 1}); wrong == "" {
		t.Error("memory that is never given back is not reported")
	}
}

// Catches: a hang that is not seen, or one that is none: a batch makes progress while any of its
// jobs runs.
func TestWatchdog(t *testing.T) {
	e := &env{}
	b := e.newBatch(draw{kind: Kinds()[0], jobs: 3 * looksOfPatience})
	slots := []*slot{new(slot), new(slot)} // the second has nothing to do
	slots[0].set(b, "")
	d := newWatchdog(slots)
	for i := range 3*looksOfPatience - 2 {
		b.run(i)
		if hung := d.look(); len(hung) > 0 {
			t.Fatalf("after %d jobs: %v hangs", i+1, hung)
		}
	}
	for i := range looksOfPatience - 1 {
		if hung := d.look(); len(hung) > 0 {
			t.Fatalf("after %d looks: %v hangs", i, hung)
		}
	}
	hung := d.look()
	if want := "join-fn, batch 0: 2 of 60 jobs have not run: job 58, 59"; len(hung) != 1 || hung[0].String() != want {
		t.Errorf("%v hangs, want %q", hung, want)
	}
	slots[0].set(nil, "Close of pool x")
	for range looksOfPatience {
		d.look()
	}
	if hung := d.look(); len(hung) != 1 || hung[0].String() != "Close of pool x" {
		t.Errorf("%v hangs, want a Close", hung)
	}
}
