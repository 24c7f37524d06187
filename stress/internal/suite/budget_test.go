package suite

import (
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/rouse-go/rouse/chaos/verdict"
	"github.com/rouse-go/rouse/stress/internal/report"
)

// Catches: a test that ends early though more executions may bring something new, or were asked for, or that goes on
// though they cannot; and a result that does not say why it has fewer.
func TestDefaultBudget(t *testing.T) {
	for name, x := range map[string]struct {
		script string
		set    func(*Options)
		want   int
		all    bool // it has explored all there is
		timeUp bool
	}{
		"all seen":             {"TestA: orders 100", nil, firstShare, false, false},
		"one order":            {"TestA: orders 1", nil, firstShare, false, false},
		"one seen once":        {"TestA: orders 255", nil, 512, false, false},
		"new ones":             {"TestA: orders 100000", nil, DefaultExecutions, false, false},
		"one":                  {"TestA: few 1", nil, 1, true, false},
		"as asked for":         {"TestA: orders 1, few 1", func(o *Options) { o.Executions = 300 }, 300, false, false},
		"exhaustive":           {"TestA: orders 1", func(o *Options) { o.Settings.Strategy = "dfs" }, DefaultExecutions, false, false},
		"one for a time":       {"TestA: few 1", func(o *Options) { o.For = time.Hour }, 1, true, false},
		"time is up":           {"TestA: orders 100000, slow", func(o *Options) { o.forAll = 1 }, -1, false, true},
		"time is up, all seen": {"TestA: orders 1, slower 400", func(o *Options) { o.forAll = 1 }, -1, false, true},
	} {
		t.Run(name, func(t *testing.T) {
			o := fakes(t, x.script)
			if o.Executions = 0; x.set != nil {
				x.set(&o)
			}
			r := one(t, o)
			if r.Status != report.TestPassed || r.Verdict != verdict.Pass {
				t.Fatalf("%+v", r)
			}
			if r.Executions != x.want && (x.want >= 0 || r.Executions == 0 || r.Executions >= firstShare) {
				t.Errorf("%d executions, want %d", r.Executions, x.want)
			}
			if strings.HasPrefix(r.Exhausted, "dpor has explored all there is: ") != x.all || r.TimeUp != x.timeUp {
				t.Errorf("explored: %q, the time was up: %v", r.Exhausted, r.TimeUp)
			}
			if x.all && (strings.Contains(r.Exhausted, "shared a process") || r.Evidence == nil || !r.Evidence.Searched) {
				t.Errorf("%q, %+v", r.Exhausted, r.Evidence)
			}
		})
	}
}

// Catches: a run that has no end because of a test whose first execution has none, or a pass of such a test.
func TestFirstExecutionIsLong(t *testing.T) {
	for _, set := range []func(*Options){func(o *Options) { o.forAll = 1 }, func(o *Options) { o.For = time.Millisecond }} {
		o := fakes(t, "TestA: works 0; TestB")
		o.Procs, o.Executions, o.firstTime = 1, 0, 300*time.Millisecond
		set(&o)
		r, err := Run(t.Context(), o)
		if err != nil || len(r.Tests) != 2 {
			t.Fatalf("%+v, %v", r, err)
		}
		if a := r.Tests[0]; a.Status != report.TestUncontrolled || !a.Endless || a.Executions != 0 || a.Summary != "its first executions took longer than 300ms; --for with -run gives them more time" {
			t.Errorf("%+v", a)
		}
		if b := r.Tests[1]; b.Status != report.TestPassed || b.Executions == 0 {
			t.Errorf("%+v", b)
		}
	}
}

// Catches: a test with a long execution that takes the time of the others.
func TestCharge(t *testing.T) {
	s := &session{Options: Options{Procs: 1}, tests: make([]*test, 2), opened: 1, packages: 1}
	long := &test{allowance: s.allowance()}
	want := s.unused() - long.allowance
	for range 3 {
		s.charge(long, time.Minute)
	}
	if got := s.unused(); got != want || got == 0 {
		t.Errorf("%v is left, want %v", got, want)
	}
	s.charge(&test{allowance: time.Second}, time.Millisecond)
	if got := s.unused(); got != want-time.Millisecond {
		t.Errorf("%v is left, want a millisecond less than %v", got, want)
	}
}

// TestAllowance: a test may take a share of the time that is left, but never more than a run has, and always something.
func TestAllowance(t *testing.T) {
	for name, x := range map[string]struct {
		session *session
		want    time.Duration
	}{
		"the only one":      {&session{Options: Options{Procs: 2}, tests: make([]*test, 1), opened: 1, packages: 1}, timeForAll + timeForEach},
		"the last one":      {&session{Options: Options{Procs: 2}, tests: make([]*test, 9), opened: 9, packages: 1, busy: 22 * time.Second}, 1250 * time.Millisecond},
		"the first of 41":   {&session{Options: Options{Procs: 1}, tests: make([]*test, 41), opened: 1, packages: 1}, (timeForAll + 41*timeForEach) / 11},
		"others unbuilt":    {&session{Options: Options{Procs: 1}, tests: make([]*test, 1), opened: 1, packages: 41, pending: 40}, (timeForAll + 41*timeForEach) / 11},
		"of very many":      {&session{Options: Options{Procs: 1}, tests: make([]*test, 5000), opened: 4997, packages: 1}, mostTime * equalShares / (equalShares + 3)},
		"when it is over":   {&session{Options: Options{Procs: 2}, tests: make([]*test, 9), opened: 9, packages: 1, busy: time.Hour}, timeForEach},
		"with hardly any":   {&session{Options: Options{Procs: 2}, tests: make([]*test, 9), opened: 1, packages: 1, busy: 24 * time.Second}, timeForEach},
		"with a short time": {&session{Options: Options{Procs: 1, forAll: time.Second}, tests: make([]*test, 4), opened: 4, packages: 1}, 2 * time.Second},
	} {
		if got := x.session.allowance(); got != x.want {
			t.Errorf("%s: %v, want %v", name, got, x.want)
		}
	}
}

// TestLeft: the estimate of what is left.
func TestLeft(t *testing.T) {
	now := time.Now()
	ended := func(n int) (tests []*test) {
		for range n {
			tests = append(tests, &test{stage: done, most: 1000, seen: 10})
		}
		return tests
	}
	// running has begun ten seconds ago, and has had so many of a thousand executions.
	running := func(seen int, allowance time.Duration) []*test {
		began := now.Add(-10 * time.Second)
		return []*test{{stage: exploring, most: 1000, seen: seen, began: began, until: began.Add(allowance)}}
	}
	for name, c := range map[string]struct {
		tests   []*test
		opened  int
		thrifty bool
		procs   int
		want    time.Duration
	}{
		"one that is half done":              {running(500, 0), 1, false, 1, 10 * time.Second},
		"of which nothing is known":          {running(0, 0), 1, false, 1, 0},
		"whose time is up before that":       {running(500, 12*time.Second), 1, true, 1, 2 * time.Second},
		"whose time has been up":             {running(500, 8*time.Second), 1, true, 1, 0},
		"for two processes":                  {running(500, 0), 1, false, 2, 5 * time.Second},
		"that has more than all":             {running(2000, 0), 1, false, 1, 0},
		"four of five have ended":            {slices.Concat(ended(4), make([]*test, 1)), 4, false, 1, 5 * time.Second},
		"two of three, and one is running":   {slices.Concat(ended(2), running(500, 0)), 3, false, 1, 10 * time.Second},
		"by default they may take 11.25 s":   {slices.Concat(ended(4), make([]*test, 1)), 4, true, 1, 8125 * time.Millisecond},
		"none has ended, and more will come": {slices.Concat(running(500, 0), make([]*test, 4)), 1, false, 1, 10 * time.Second},
	} {
		s := &session{Options: Options{Procs: c.procs, thrifty: c.thrifty}, tests: c.tests, opened: c.opened, packages: 1, first: now.Add(-20 * time.Second)}
		if got := s.left(now); got != c.want {
			t.Errorf("%s: %v, want %v", name, got, c.want)
		}
	}
}
