package strategy

import (
	"slices"
	"testing"
)

// A scripted strategy is one whose executions are pretended.
type scripted struct {
	Strategy
	name string
	runs int
	last int // executions until it is over; 0 is never
	all  bool
}

func (s *scripted) Name() string { return s.name }

func (s *scripted) Begin(Execution) bool {
	if s.last > 0 && s.runs == s.last {
		return false
	}
	s.runs++
	return true
}

func (s *scripted) End(Result) {}

func (s *scripted) Complete() bool { return s.all }

// play runs so many executions, of which order says the partial order by the arm and
// the number of its execution.
func play(p *portfolio, n int, order func(arm, run int) uint64) (pulls []int) {
	for i := range n {
		if !p.Begin(Execution{Number: i, Seed: uint64(i)}) {
			return pulls
		}
		run := p.arms[p.now].Strategy.(*scripted).runs
		p.End(Result{Order: order(p.now, run)})
		pulls = append(pulls, p.now)
	}
	return pulls
}

func count3(pulls []int) (n [3]int) {
	for _, arm := range pulls {
		n[arm]++
	}
	return n
}

func three() (*portfolio, []*scripted) {
	all := []*scripted{{name: "a"}, {name: "b"}, {name: "c"}}
	return Portfolio(all[0], all[1], all[2]).(*portfolio), all
}

func TestPortfolioPrefersNewOrders(t *testing.T) {
	p, _ := three()
	// a finds the same always, b a new one each time, c every other time.
	pulls := play(p, 3000, func(arm, run int) uint64 {
		return []uint64{7, uint64(run) << 8, uint64(run/2)<<8 | 1}[arm]
	})
	n := count3(pulls)
	if n[1] < 1800 || n[0] < 20 || n[0] > n[2] || n[2] > n[1] {
		t.Errorf("pulled %v times: want the second most, the first least, and none never", n)
	}
	// Then b is exhausted, and a isn't.
	pulls = play(p, 5000, func(arm, run int) uint64 {
		return []uint64{uint64(run) << 8, 7, 7}[arm]
	})
	if n := count3(pulls[2000:]); n[0] < 2000 {
		t.Errorf("pulled %v times after the orders changed sides", n)
	}
}

func TestPortfolioTriesEachFirst(t *testing.T) {
	p, _ := three()
	if got := play(p, 3, func(int, int) uint64 { return 1 }); !slices.Equal(got, []int{0, 1, 2}) {
		t.Errorf("began with %v", got)
	}
}

// An arm that is over drops out; one that has seen everything ends it all.
func TestPortfolioEnds(t *testing.T) {
	fresh := func(arm, run int) uint64 { return uint64(arm<<20 | run) }
	p, all := three()
	all[0].last, all[1].last, all[2].last = 3, 5, 7
	if n := count3(play(p, 100, fresh)); n != [3]int{3, 5, 7} {
		t.Errorf("pulled %v times, want 3, 5, 7", n)
	}
	p, all = three()
	all[1].last, all[1].all = 5, true
	if n := count3(play(p, 100, fresh)); n[1] != 5 || n[0] > 7 || n[2] > 7 {
		t.Errorf("pulled %v times, want an end after 5 of the second", n)
	}
	s := Portfolio(Random(), DPOR())
	if n := newSim(straight(3, 3)).explore(s, 1, func(i int, _ outcome) bool { return i < 1000 }); n > 10 {
		t.Errorf("%d executions of a program with one partial order", n)
	}
	s = Portfolio(Random(), DFS(1))
	if n := newSim(straight(3, 3)).explore(s, 1, func(i int, _ outcome) bool { return i < 1000 }); n < 1000 {
		t.Errorf("%d executions: the end of DFS with a bound is not that of all", n)
	}
}

// What is remembered is bounded, and zero is an order like any other.
func TestPortfolioRemembers(t *testing.T) {
	p, _ := three()
	for _, order := range []uint64{0, 1, ordersKept - 1, 1 << 63, ^uint64(0) - 1} {
		if !p.isNew(order) || p.isNew(order) {
			t.Errorf("order %x: want new once", order)
		}
	}
	if p.isNew(5); !p.isNew(5+ordersKept) || !p.isNew(5) || len(p.seen) != 5 {
		t.Error("want the newer of two orders at one place")
	}
}

func TestPortfolioNames(t *testing.T) {
	if got := Portfolio(PCT(3), DPOR()).Name(); got != "portfolio(pct(3),dpor)" {
		t.Error(got)
	}
	if got := Portfolio().Name(); got != "portfolio" {
		t.Error(got)
	}
}

// Its strategies observe events.
func TestPortfolioFindsWhatItsBestDoes(t *testing.T) {
	got, all := median(reorder(20, true), "portfolio", 20, 1000)
	t.Logf("median %d of %v", got, all)
	if got > 250 {
		t.Errorf("reorder_20 takes %d executions, and SURW alone some 30", got)
	}
}

// Catches: an execution whose strategy needs no events, or only those of tasks that begin, and of which the engine passes
// on all; and one whose strategy needs all.
func TestPortfolioObserves(t *testing.T) {
	p := Portfolio(append(standardArms(), DPOR())...).(*portfolio)
	only := map[string]bool{}
	for i := range p.arms {
		p.now = i
		only[p.arms[i].Name()] = p.OnlySpawns()
	}
	for name, is := range only {
		if want := name != "dpor"; is != want {
			t.Errorf("%s needs only the events of tasks that begin: %t, want %t", name, is, want)
		}
	}
}
