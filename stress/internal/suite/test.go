package suite

import (
	"cmp"
	"math"
	"regexp"
	"slices"
	"time"

	"github.com/rouse-go/rouse/chaos/goroot/wire"
	"github.com/rouse-go/rouse/internal/evidence"
	"github.com/rouse-go/rouse/internal/orders"
	"github.com/rouse-go/rouse/stress/internal/report"
)

// A stage is the next thing to do for a test.
type stage int

const (
	waiting   stage = iota // not begun
	repeating              // repeats the recordings of earlier runs
	exploring              // runs batches
	failing                // a failure waits to be settled
	settling               // a slot settles it
	done
)

// A test is one test of a package, with its results so far. The session's lock guards it.
type test struct {
	program *program
	pkg     *listed
	name    string
	stage   stage
	// finished reports whether the result is complete.
	finished bool
	// what, if not nil, reports on a package. The entry has no test and only keeps the report's place in the order.
	what *report.PackageReport

	began time.Time
	until time.Time // no batch begins after it; zero is no limit

	allowance time.Duration // that it may be charged with
	firstTime time.Duration // until its first execution has ended

	next    int            // the next batch to deal
	bound   int            // batches from this number on do not count
	whole   bool           // all executions are one batch
	thrifty bool           // it ends when nothing new is to be expected
	most    int            // limit of executions
	counts  int            // the next batch to count
	batches map[int]*batch // ended, but not counted while an earlier one runs
	running map[int]*batch
	failed  *batch // the last batch to count, until tally has added it
	// repeated, if not nil, is the next batch to deal: see again.
	repeated *batch
	// alone reports whether executions run alone, each in a process of its own.
	alone        bool
	second       string // how the second execution of a process fails, if the first one passes
	doubt        *doubt // may be nil
	countedAlone int
	reached      int // executions up to the last that failed, even if its batch does not count or is restarted
	unrepeated   unrepeated
	seen         int // all executions, whether they count or not

	orders   orders.Counter
	evidence evidence.Counts
	cuts     int // executions that reached the step limit
	result   report.TestReport
}

// A batch is a range of executions with their outcome.
type batch struct {
	number   int
	from, to int
	counts   wire.Counts
	answer   wire.Answer
	death    *death
	refused  *refusal      // if it could not be run
	enough   chan struct{} // closed when the batch need not be completed
	given    bool          // enough is closed
	stale    bool          // given up: its result is ignored
	by       *strategies   // of executions that run alone; nil before they begin, or if they share a worker
}

// fails reports whether something went wrong in the batch.
func (b *batch) fails() bool {
	return b.death != nil || b.refused != nil || b.answer.Kind == wire.Failed
}

// reached returns the number of executions up to the one that failed, or 0 if that is not known.
func (b *batch) reached() int {
	switch {
	case b.death != nil && b.from <= b.death.number && b.death.number < b.to:
		return b.death.number + 1
	case b.death == nil && b.answer.Failure != nil:
		return b.answer.Failure.Execution + 1
	}
	return 0
}

func newTest(p *program, pkg *listed, name string, at place, o *Options, exhaustive bool) *test {
	t := &test{
		program: p, pkg: pkg, name: name, bound: unbounded, whole: exhaustive, thrifty: o.thrifty, most: o.Executions, firstTime: cmp.Or(o.firstTime, firstTime),
		batches: map[int]*batch{}, running: map[int]*batch{},
		result: report.TestReport{Package: pkg.ImportPath, Test: name, File: at.file, Line: at.line, Status: report.TestInterrupted, Execution: -1},
	}
	if t.most == 0 {
		t.most = math.MaxInt
	}
	return t
}

// unbounded is the value of test.bound if all batches count.
const unbounded = math.MaxInt

// deal returns the next batch, or nil if there is none.
func (t *test) deal(now time.Time) *batch {
	if t.repeated != nil {
		return t.repeated
	}
	size := batchSize
	if t.whole {
		size = t.most
	}
	if t.next >= t.bound || t.whole && t.next > 0 || t.next > 0 && !t.until.IsZero() && now.After(t.until) || t.next*size >= t.most {
		return nil
	}
	b := &batch{number: t.next, from: t.next * size, to: t.most, enough: make(chan struct{})}
	if !t.whole {
		b.to = min(b.from+size, t.most)
	}
	return b
}

// begin marks the batch that deal returned as running.
func (t *test) begin(b *batch) {
	if b == t.repeated {
		t.repeated = nil
	} else {
		t.next++
	}
	t.running[b.number] = b
}

// firstTime is how long a test may take until its first execution has ended, however short its time is.
const firstTime = 30 * time.Second

// cut ends the running batches that no longer count or whose time is up. However short the time is, some
// executions run, if one ends within the firstTime.
func (t *test) cut(now time.Time) {
	over := !t.until.IsZero() && now.After(t.until) && (t.seen > 0 || now.Sub(t.began) > t.firstTime)
	for n, b := range t.running {
		if (over || n >= t.bound) && !b.given {
			b.given = true
			close(b.enough)
		}
	}
}

// add adds a batch that has ended, and counts all batches that are next in order.
func (t *test) add(b *batch) {
	if b.stale {
		return
	}
	delete(t.running, b.number)
	t.batches[b.number] = b
	if b.fails() || b.answer.Skipped || b.answer.Exhausted != "" {
		t.bound = min(t.bound, b.number+1)
		t.cut(time.Time{})
	}
	for t.stage == exploring && t.counts < t.bound {
		b := t.batches[t.counts]
		if b == nil {
			return
		}
		delete(t.batches, t.counts)
		t.counts++
		t.count(b)
	}
}

// count counts a batch that has ended. A failing one is counted when its failure is settled.
func (t *test) count(b *batch) {
	t.failed = b
	if b.fails() {
		t.stage = failing
		return
	}
	t.tally()
	switch r := &t.result; {
	case b.answer.Skipped:
		r.Status, r.Summary, t.stage = report.TestSkipped, b.answer.Reason, done
	case b.answer.Exhausted != "":
		r.Exhausted = b.answer.Exhausted
	case t.thrifty && t.isSeen():
		t.bound = min(t.bound, t.counts)
		t.cut(time.Time{})
	}
}

// firstShare is how many executions a test has before it may end because it brings nothing new. Of the 259 bugs that
// evidence/corpus/results has, each of 20 seeds finds 226 in as many, and 234 in 1,000.
const firstShare = 2 * batchSize

// isSeen reports whether nothing new is to be expected of a test: it has had each of its partial orders at least twice.
func (t *test) isSeen() bool {
	r := &t.result
	if r.Executions < firstShare || r.Orders == nil || r.Orders.ChanceOfNew == nil || r.Orders.ChanceOfNew.Estimate > 0 {
		return false
	}
	e := evidence.Evidence{Uncontrolled: t.evidence.Uncontrolled}
	return e.Withdrawn() == ""
}

// tally adds the counts of the last batch to the result, once.
func (t *test) tally() {
	b := t.failed
	if t.failed = nil; b == nil {
		return
	}
	r := &t.result
	t.countedAlone += b.counts.Alone
	r.Executions += b.counts.Executions
	r.Steps += b.counts.Steps
	r.Traces += b.counts.Traces
	t.cuts += b.counts.Cut
	t.countOrders(&b.counts)
	t.evidence.Add(&b.counts.Evidence)
	for _, n := range b.answer.Notes {
		if !slices.ContainsFunc(r.Notes, func(earlier string) bool { return alike(earlier, n) }) {
			r.Notes = append(r.Notes, n)
		}
	}
}

var digits = regexp.MustCompile(`\d+`)

// alike reports whether two notes differ only in numbers: batches report the same, each about its own
// executions.
func alike(a, b string) bool {
	return a == b || digits.ReplaceAllString(a, "0") == digits.ReplaceAllString(b, "0")
}

// countOrders adds the orders of a batch.
func (t *test) countOrders(c *wire.Counts) {
	if len(c.Orders) == 0 && len(t.orders.Spans) == 0 {
		return // a native run, or a test that has skipped itself
	}
	var hashes orders.Hashes
	for _, o := range c.Orders {
		hashes.Add(o, 0, t.orders.Level)
	}
	t.orders.Add(hashes, c.Executions)
	t.result.Orders = t.orders.Summary(t.result.Executions)
	if t.whole {
		t.result.Orders = t.result.Orders.WithoutChance()
	}
}

// explored reports whether all batches have been counted and none is left to deal.
func (t *test) explored(now time.Time) bool {
	return t.stage == exploring && t.counts >= min(t.next, t.bound) && t.deal(now) == nil
}
